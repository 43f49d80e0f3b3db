-- Revokes one session. The row is deleted after the token's own expiry.
create or replace function revoke_session(session_jti uuid, session_expires_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into revoked_session (jti, expires_at) values (session_jti, session_expires_at) on conflict do nothing
$$;
revoke execute on function revoke_session from public;
grant execute on function revoke_session to portal_tenant, portal_system;
