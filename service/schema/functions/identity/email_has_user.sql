-- Returns whether an address has a user. Addresses are unique across partners, so invitations must check; nothing else is revealed.
create or replace function email_has_user(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from app_user u where u.email = lower(address))
$$;
revoke execute on function email_has_user from public;
grant execute on function email_has_user to portal_tenant, portal_system;
