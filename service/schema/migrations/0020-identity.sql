-- What a tenant may ask or do beyond its own rows, each through one narrow function.

-- One address is one user across all agencies, so inviting has to know; it learns nothing but yes or no.
create function email_has_user(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from app_user u where u.email = lower(address))
$$;
revoke execute on function email_has_user(text) from public;
grant execute on function email_has_user(text) to portal_tenant, portal_system;

-- Ends one session. The row can go once the token would have expired by itself.
create function revoke_session(session_jti uuid, session_expires_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into revoked_session (jti, expires_at) values (session_jti, session_expires_at) on conflict do nothing
$$;
revoke execute on function revoke_session(uuid, timestamptz) from public;
grant execute on function revoke_session(uuid, timestamptz) to portal_tenant, portal_system;

-- How an agent does, in one word (product.md §3, Agent health). Silent: it used to run and has not for a week.
create function agent_health(provider_flow_id text, is_active boolean, consecutive_failures int, last_run_at timestamptz) returns text
language sql stable parallel safe as $$
  select case
    when provider_flow_id is null then 'not_installed'
    when not is_active then 'paused'
    when consecutive_failures >= 3 then 'failing'
    when last_run_at < now() - interval '7 days' then 'silent'
    else 'ok'
  end
$$;
