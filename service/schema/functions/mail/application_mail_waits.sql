-- Returns whether the confirmation of an application waits for staff.
create or replace function application_mail_waits(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from mail m where m.to_address = address and m.status = 'held' and m.kind = 'application_received')
$$;
revoke execute on function application_mail_waits from public;
grant execute on function application_mail_waits to portal_tenant, portal_system;
