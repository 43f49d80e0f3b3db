-- Failed runs in a row after which an agent is failing, and days without a run after which it is silent, where the rules of its partner do not say.
create or replace function default_failure_streak() returns int language sql immutable parallel safe as $$ select 3 $$;
create or replace function default_silent_days() returns int language sql immutable parallel safe as $$ select 7 $$;

-- Returns the health of an agent by the alert rules of its partner; null rules mean the defaults. `awaited`: awaited_from.
create or replace function agent_health(provider_flow_id text, is_active boolean, consecutive_failures int, last_run_at timestamptz, failure_streak int, silent_days int, awaited timestamptz)
returns text language sql stable parallel safe as $$
  select case
    when provider_flow_id is null then 'not_installed'
    when not is_active then 'paused'
    when consecutive_failures >= coalesce(failure_streak, default_failure_streak()) then 'failing'
    -- The server reads `awaited` only of an agent that has not run.
    when last_run_at < now() - make_interval(days => coalesce(silent_days, default_silent_days()))
      and (awaited < now() - make_interval(days => coalesce(silent_days, default_silent_days()))) is not false then 'silent'
    else 'ok'
  end
$$;

-- Returns the latest day, in UTC, on which an agent that is silent by any visible rules can have last run: an index finds those, and agent_health decides. Called in a subquery, so that it runs
-- once for a statement, not for each row.
create or replace function silent_by_day() returns date language sql stable set search_path = public, pg_temp as $$
  select ((now() - make_interval(days => least(min(r.silent_days), default_silent_days()))) at time zone 'UTC')::date from alert_rules r
$$;
revoke execute on function silent_by_day from public;
grant execute on function silent_by_day to portal_tenant, portal_system;
