-- Sessions of a user that are still valid, as assert_session decides, the last used first.
create or replace function open_sessions(of_user uuid)
returns table (id uuid, auth_method text, address text, user_agent text, opened_at timestamptz, last_used_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.jti, s.auth_method, s.address, s.user_agent, s.opened_at, s.last_used_at, s.expires_at
  from user_session s join app_user u on u.id = s.user_id
  where s.user_id = of_user and s.expires_at > now() and s.opened_at >= date_trunc('second', u.sessions_valid_from)
    and not exists (select from revoked_session r where r.jti = s.jti)
  order by s.last_used_at desc, s.jti desc
$$;
revoke execute on function open_sessions from public;
grant execute on function open_sessions to portal_tenant, portal_system;
