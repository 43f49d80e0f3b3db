-- Returns the names for which mail of a partner to strangers waits, because staff have not approved them: that of the partner, and of the client that the
-- mail is about.
create or replace function waiting_names(partner uuid, client uuid) returns text[]
language sql stable security definer set search_path = public, pg_temp as $$
  select array(select n.name from name_review n where n.partner_id = waiting_names.partner and n.status <> 'approved'
    and (n.client_id is null or n.client_id = waiting_names.client) order by n.name)
$$;
revoke execute on function waiting_names from public;
grant execute on function waiting_names to portal_tenant, portal_system;

-- Returns whether mail of a partner to strangers waits for a name.
create or replace function name_waits(partner uuid, client uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select cardinality(waiting_names(name_waits.partner, name_waits.client)) > 0
$$;
revoke execute on function name_waits from public;
grant execute on function name_waits to portal_tenant, portal_system;
