-- Returns a range of hours as years, months, days and hours of UTC that are added (sign 1) or taken away (sign -1), so that few of them are read: eleven
-- months are a year without a month, and what has not happened yet costs nothing. Times are rounded up to the hour: a range is that of the hours which begin in it.
create or replace function usage_pieces(since timestamptz, until timestamptz) returns table (span text, starts timestamptz, ends timestamptz, sign int)
language plpgsql stable rows 5 set search_path = public, pg_temp as $$
declare
  spans constant text[] := array['hour', 'day', 'month', 'year'];
  lengths constant int[] := array[3600, 86400, 2629746, 31556952];
  -- Nothing is counted behind it.
  horizon constant timestamptz := date_trunc('hour', now(), 'UTC') + interval '1 hour';
  a timestamptz := date_trunc('hour', since - interval '1 microsecond', 'UTC') + interval '1 hour';
  b timestamptz := date_trunc('hour', least(until, horizon) - interval '1 microsecond', 'UTC') + interval '1 hour';
  wide_a timestamptz;
  wide_b timestamptz;
begin
  for level in 1 .. 4 loop
    exit when a >= b;
    span := spans[level];
    if level < 4 then
      wide_a := nearest_start(spans[level + 1], a, horizon);
      wide_b := nearest_start(spans[level + 1], b, horizon);
    end if;
    if level = 4 or usage_cost(a, b, horizon, lengths[level])
      <= usage_cost(a, wide_a, horizon, lengths[level]) + usage_cost(b, wide_b, horizon, lengths[level]) + usage_cost(wide_a, wide_b, horizon, lengths[level + 1])
    then
      starts := a; ends := b; sign := 1;
      return next;
      exit;
    end if;
    if a <> wide_a then
      starts := least(a, wide_a); ends := greatest(a, wide_a); sign := case when a < wide_a then 1 else -1 end;
      return next;
    end if;
    if b <> wide_b then
      starts := least(b, wide_b); ends := greatest(b, wide_b); sign := case when wide_b < b then 1 else -1 end;
      return next;
    end if;
    a := wide_a;
    b := wide_b;
  end loop;
end $$;
revoke execute on function usage_pieces from public;
grant execute on function usage_pieces to portal_tenant, portal_system;

-- The start of a span of UTC that is nearest to a time; of the span that goes on, the end is as near as the horizon.
create or replace function nearest_start(span text, at timestamptz, horizon timestamptz) returns timestamptz language sql immutable set search_path = public, pg_temp as $$
  select case when at - x.below < least(x.above, greatest(horizon, at)) - at then x.below else x.above end
  from (select date_trunc(span, at, 'UTC') as below,
    case when date_trunc(span, at, 'UTC') = at then at else date_add(date_trunc(span, at, 'UTC'), ('1 ' || span)::interval, 'UTC') end as above) x
$$;
revoke execute on function nearest_start from public;
grant execute on function nearest_start to portal_tenant, portal_system;

-- How many spans of a length, in seconds, between two times have begun.
create or replace function usage_cost(a timestamptz, b timestamptz, horizon timestamptz, length int) returns int language sql immutable set search_path = public, pg_temp as $$
  select ceil(abs(extract(epoch from least(a, horizon) - least(b, horizon))) / length)::int
$$;
revoke execute on function usage_cost from public;
grant execute on function usage_cost to portal_tenant, portal_system;

-- Returns the credits of AI tokens without a run of one agency, by client. A function of its own, not inlined: the partitions of the ledger take milliseconds to plan.
-- An entry has the id of its run, which may have waited, run and been extended for two days before the time of the entry: three days of slack on ids.
create or replace function ai_credits_of(of_partner uuid, since timestamptz, until timestamptz) returns table (client_id uuid, credits bigint)
language plpgsql stable rows 10 set search_path = public, pg_temp as $$
begin
  return query
    select u.client_id, -u.credits::bigint from usage_entry u
    where u.partner_id = of_partner and u.kind = 'ai_tokens' and u.execution_id is null and u.id >= uuid_floor(since - interval '3 days')
      and u.id < uuid_floor(until + interval '1 day') and u.at >= since and u.at < until;
end $$;
revoke execute on function ai_credits_of from public;
grant execute on function ai_credits_of to portal_tenant, portal_system;

-- Return what the agents of one agency, or of all, counted in a range, and the AI tokens without a run (no agent) unless `runs_only`: from their spans, what was
-- noted since, and for parts of a day from the hours and the ledger. Each piece is read by itself (offset 0): joined with all of them, the planner reads all years. Row-level security of the caller applies. An agent has several rows: add them up.
create or replace function usage_of_agents(of_partner uuid, since timestamptz, until timestamptz, runs_only boolean)
returns table (workflow_id uuid, client_id uuid, credits bigint, succeeded bigint, failed bigint, helped bigint)
language sql stable as $$
  select s.workflow_id, s.client_id, p.sign * s.credits, p.sign * s.succeeded, p.sign * s.failed, p.sign * s.helped
  from usage_pieces(since, until) p cross join lateral (
    select x.* from agent_span x where x.partner_id = of_partner and x.span = p.span and x.starts >= p.starts and x.starts < p.ends offset 0) s
  where not (runs_only and s.workflow_id is null)
  union all
  select d.workflow_id, d.client_id, p.sign * d.credits, p.sign * d.succeeded, p.sign * d.failed, p.sign * d.helped
  from usage_pieces(since, until) p join usage_delta d on d.hour >= p.starts and d.hour < p.ends
  where p.span <> 'hour' and d.partner_id = of_partner and (d.counter = 'ended_runs' or d.counter = 'ai_calls' and not runs_only)
  union all
  select w.workflow_id, w.client_id, p.sign * w.credits, p.sign * w.succeeded, p.sign * w.failed, p.sign * w.helped
  from usage_pieces(since, until) p cross join lateral (
    select x.* from workflow_hour x where x.partner_id = of_partner and x.hour >= p.starts and x.hour < p.ends offset 0) w
  where p.span = 'hour'
  union all
  select null, u.client_id, p.sign * u.credits, 0, 0, 0
  from usage_pieces(since, until) p cross join lateral ai_credits_of(of_partner, p.starts, p.ends) u
  where not runs_only and p.span = 'hour'
$$;
revoke execute on function usage_of_agents from public;
grant execute on function usage_of_agents to portal_tenant, portal_system;

create or replace function usage_of_all_agents(since timestamptz, until timestamptz)
returns table (workflow_id uuid, client_id uuid, credits bigint, succeeded bigint, failed bigint)
language sql stable as $$
  select s.workflow_id, s.client_id, p.sign * s.credits, p.sign * s.succeeded, p.sign * s.failed
  from usage_pieces(since, until) p cross join lateral (
    select x.* from agent_span x where x.span = p.span and x.starts >= p.starts and x.starts < p.ends offset 0) s
  union all
  select d.workflow_id, d.client_id, p.sign * d.credits, p.sign * d.succeeded, p.sign * d.failed
  from usage_pieces(since, until) p join usage_delta d on d.hour >= p.starts and d.hour < p.ends
  where p.span <> 'hour' and d.counter in ('ended_runs', 'ai_calls')
  union all
  select w.workflow_id, w.client_id, p.sign * w.credits, p.sign * w.succeeded, p.sign * w.failed
  from usage_pieces(since, until) p cross join lateral (
    select x.* from workflow_hour x where uuid_floor(x.hour) >= uuid_floor(p.starts) and uuid_floor(x.hour) < uuid_floor(p.ends) offset 0) w
  where p.span = 'hour'
  union all
  select null, u.client_id, -p.sign * u.credits, 0, 0
  from usage_pieces(since, until) p cross join lateral (
    select x.* from usage_entry x where x.kind = 'ai_tokens' and x.execution_id is null and x.id >= uuid_floor(p.starts - interval '3 days')
      and x.id < uuid_floor(p.ends + interval '1 day') and x.at >= p.starts and x.at < p.ends offset 0) u
  where p.span = 'hour'
$$;
revoke execute on function usage_of_all_agents from public;
grant execute on function usage_of_all_agents to portal_system;

-- Returns the usage of each agency in a range, or of one unless `of_partner` is null: runs, and AI tokens without a run. An agency has several rows: add them up.
create or replace function usage_of_each(of_partner uuid, since timestamptz, until timestamptz)
returns table (partner_id uuid, credits bigint, succeeded bigint, failed bigint)
language sql stable as $$
  select s.partner_id, p.sign * s.credits, p.sign * s.succeeded, p.sign * s.failed
  from usage_pieces(since, until) p cross join lateral (
    select x.* from usage_span x where (of_partner is null or x.partner_id = of_partner) and x.span = p.span and x.starts >= p.starts and x.starts < p.ends offset 0) s
  union all
  select h.partner_id, p.sign * h.credits, p.sign * h.succeeded, p.sign * h.failed
  from usage_pieces(since, until) p cross join lateral (
    select x.* from usage_hour x where x.partner_id = of_partner and x.hour >= p.starts and x.hour < p.ends
    union all select x.* from usage_hour x where of_partner is null and uuid_floor(x.hour) >= uuid_floor(p.starts) and uuid_floor(x.hour) < uuid_floor(p.ends)) h
  where p.span = 'hour' and h.counter in ('ended_runs', 'ai_calls')
  union all
  select d.partner_id, p.sign * d.credits, p.sign * d.succeeded, p.sign * d.failed
  from usage_pieces(since, until) p join usage_delta d on d.hour >= p.starts and d.hour < p.ends
  where d.counter in ('ended_runs', 'ai_calls') and (of_partner is null or d.partner_id = of_partner)
$$;
revoke execute on function usage_of_each from public;
grant execute on function usage_of_each to portal_system;
