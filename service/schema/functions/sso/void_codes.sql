-- Deletes the one-time codes of a connection that is saved or removed: each was earned by a login through the connection as it was before. Definer: an
-- agency may not delete codes.
create or replace function void_codes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sso_code where partner_id = old.partner_id;
  return null;
end $$;
revoke execute on function void_codes from public;
create or replace trigger sso_connection_void_codes after update of configured_at or delete on sso_connection for each row execute function void_codes();
