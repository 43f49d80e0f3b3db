-- Revokes the sessions of a user except one; returns how many.
create or replace function end_other_sessions(of_user uuid, kept_jti uuid)
returns integer language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    insert into revoked_session (jti, expires_at)
    select s.id, s.expires_at from open_sessions(of_user) s where s.id <> kept_jti
    on conflict do nothing returning 1)
  select count(*)::int from ended
$$;
revoke execute on function end_other_sessions from public;
grant execute on function end_other_sessions to portal_tenant, portal_system;
