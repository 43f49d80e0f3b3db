-- The provider's name of a session is deleted with the session, however that ends.
create or replace function forget_revoked_provider_session() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sso_session where jti = new.jti;
  return null;
end $$;
revoke execute on function forget_revoked_provider_session from public;
create or replace trigger revoked_session_forget after insert on revoked_session for each row execute function forget_revoked_provider_session();

create or replace function forget_ended_provider_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sso_session where user_id = new.id;
  return null;
end $$;
revoke execute on function forget_ended_provider_sessions from public;
create or replace trigger app_user_forget_sessions after update of sessions_valid_from on app_user for each row
  when (new.sessions_valid_from is distinct from old.sessions_valid_from) execute function forget_ended_provider_sessions();
