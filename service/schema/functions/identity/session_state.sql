-- State that decides about a session besides assert_session: when it was last used and last confirmed (null while it is not recorded), and the second step of its user.
create or replace function session_state(session_jti uuid, of_user uuid)
returns table (last_used_at timestamptz, proven_at timestamptz, mfa_enabled boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.last_used_at, s.proven_at, u.mfa_enabled
  from app_user u left join user_session s on s.jti = session_jti and s.user_id = u.id
  where u.id = of_user
$$;
revoke execute on function session_state from public;
grant execute on function session_state to portal_service;
