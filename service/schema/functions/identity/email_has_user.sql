-- One address is one user across all agencies, so inviting has to know; it learns nothing but yes or no.
create or replace function email_has_user(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from app_user u where u.email = lower(address))
$$;
revoke execute on function email_has_user from public;
grant execute on function email_has_user to portal_tenant, portal_system;
