-- Returns the health of an agent by the alert rules of its partner; null rules mean the defaults.
create or replace function agent_health(provider_flow_id text, is_active boolean, consecutive_failures int, last_run_at timestamptz, failure_streak int, silent_days int)
returns text language sql stable parallel safe as $$
  select case
    when provider_flow_id is null then 'not_installed'
    when not is_active then 'paused'
    when consecutive_failures >= coalesce(failure_streak, 3) then 'failing'
    when last_run_at < now() - make_interval(days => coalesce(silent_days, 7)) then 'silent'
    else 'ok'
  end
$$;
