-- Whether agents run and are charged, by the status of the agency, of the client (null: an agent of the agency) and of the subscription (null: none).
create or replace function may_run_agents(partner_status text, client_status text, subscription_status text) returns boolean
language sql immutable as $$
  select partner_status = 'active' and coalesce(client_status, 'active') = 'active'
    and coalesce(subscription_status, 'active') not in ('expired', 'suspended', 'cancelled')
$$;
revoke execute on function may_run_agents from public;
grant execute on function may_run_agents to portal_tenant, portal_system;
