-- Agents that were deleted: their rows are gone, their flow and connections are still to leave the engine.

create table agent_removal (
  workflow_id uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  name text not null,
  template_name text not null,
  provider_flow_id text,
  requested_at timestamptz(3) not null default now(),
  due_at timestamptz(3) default now(),
  attempts int not null default 0,
  last_error text,
  ended_at timestamptz(3)
);
comment on column agent_removal.due_at is 'when somebody may go on with it (also the lease of who does); null once the engine holds nothing of it';
create index agent_removal_partner on agent_removal (partner_id, requested_at desc);
create index agent_removal_client on agent_removal (client_id);
create index agent_removal_due on agent_removal (due_at) where due_at is not null;
call fence('agent_removal', 'client_id', 'select');

-- Deletes an agent and writes down what the engine still holds of it. Answers whether it did: "busy" while a setup of its agency runs, which
-- could put the flow back; null when there is no such agent. Whose agent it may be is asked by the caller's transaction.
create function remove_agent(agent_id uuid, lease_seconds int) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  agent workflow;
  state text;
begin
  select w.* into agent from workflow w where w.id = agent_id
    and (current_setting('role') <> 'portal_tenant' or (w.partner_id = app_partner() and app_client() is null));
  if agent.id is null then return null; end if;
  -- The same row that an attempt claims: of the two one goes first.
  select i.status into state from automation_instance i where i.partner_id = agent.partner_id for update;
  if state in ('provisioning', 'deprovisioning') then return 'busy'; end if;
  select w.* into agent from workflow w where w.id = agent_id for update;
  if agent.id is null then return null; end if;
  insert into agent_removal (workflow_id, partner_id, client_id, name, template_name, provider_flow_id, due_at)
  values (agent.id, agent.partner_id, agent.client_id, agent.name, agent.template_name, agent.provider_flow_id, now() + make_interval(secs => lease_seconds));
  delete from workflow w where w.id = agent.id;
  return 'removed';
end $$;
revoke execute on function remove_agent from public;
grant execute on function remove_agent to portal_tenant, portal_system;

-- A run may report after its agent was deleted; whom it reached is then nobody's business any more.
create function skip_contact_of_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return case when exists (select 1 from workflow w where w.id = new.workflow_id) then new end;
end $$;
revoke execute on function skip_contact_of_removed from public;
create trigger workflow_contact_of_removed before insert on workflow_contact for each row execute function skip_contact_of_removed();
