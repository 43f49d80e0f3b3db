-- Returns whether mail of a partner to strangers waits, because the name of the partner, or of the client it names, is not approved by staff.
create or replace function name_waits(partner uuid, client uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from name_review n where n.partner_id = name_waits.partner and n.status <> 'approved'
    and (n.client_id is null or n.client_id = name_waits.client))
$$;
revoke execute on function name_waits from public;
grant execute on function name_waits to portal_tenant, portal_system;
