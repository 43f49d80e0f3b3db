-- An entry has the id of its run, which may have waited, run and been extended for two days before the time of the entry: three days of slack on ids.

-- Returns what the counters and the ledger of an agency hold that is not filled yet. A function of its own, not inlined: the partitions of the ledger take milliseconds
-- to plan, for agencies that are few and soon filled.
create or replace function usage_unfilled(of_partner uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counter text, credits bigint, entries bigint, succeeded bigint, failed bigint, contacted bigint)
language plpgsql stable rows 100 set search_path = public, pg_temp as $$
begin
  return query
    select w.hour::timestamptz, 'ended_runs', w.credits::bigint, 0::bigint, w.succeeded::bigint, w.failed::bigint, w.contacted::bigint from workflow_hour w
    where w.partner_id = of_partner and w.hour >= since and w.hour < until
    union all
    select date_trunc('hour', u.at, 'UTC'), k.counter, -u.credits::bigint, 1, 0, 0, 0
    from usage_entry u cross join lateral (select u.kind as counter union all select 'ai_calls' where u.kind = 'ai_tokens' and u.execution_id is null) k
    where u.partner_id = of_partner and u.id >= uuid_floor(since - interval '3 days') and date_trunc('hour', u.at, 'UTC') >= since and date_trunc('hour', u.at, 'UTC') < until;
end $$;
revoke execute on function usage_unfilled from public;
grant execute on function usage_unfilled to portal_tenant, portal_system;

-- Return the usage of one agency, or of all, by the hour: what was folded, what was noted since, and for agencies that are not filled yet what their counters
-- and their ledger hold. Row-level security of the caller applies. A counter has several rows in an hour: add them up.
create or replace function usage_of(of_partner uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counter text, credits bigint, entries bigint, succeeded bigint, failed bigint, contacted bigint)
language sql stable as $$
  select h.hour, h.counter, h.credits, h.entries, h.succeeded, h.failed, h.contacted from usage_hour h
  where h.partner_id = of_partner and h.hour >= since and h.hour < until
  union all
  select d.hour, d.counter, d.credits, d.entries, d.succeeded, d.failed, d.contacted from usage_delta d
  where d.partner_id = of_partner and d.hour >= since and d.hour < until and not exists (select from usage_fill f where f.partner_id = of_partner)
  union all
  select x.hour, x.counter, x.credits, x.entries, x.succeeded, x.failed, x.contacted
  from usage_fill f cross join lateral usage_unfilled(f.partner_id, since, until) x where f.partner_id = of_partner
$$;
revoke execute on function usage_of from public;
grant execute on function usage_of to portal_tenant, portal_system;

create or replace function usage_of_all(since timestamptz, until timestamptz)
returns table (hour timestamptz, counter text, credits bigint, entries bigint, succeeded bigint, failed bigint)
language sql stable as $$
  select h.hour, h.counter, h.credits, h.entries, h.succeeded, h.failed from platform_hour h where h.hour >= since and h.hour < until
  union all
  select d.hour, d.counter, d.credits, d.entries, d.succeeded, d.failed from usage_delta d
  where d.hour >= since and d.hour < until and not exists (select from usage_fill f where f.partner_id = d.partner_id)
  union all
  select w.hour, 'ended_runs', w.credits, 0, w.succeeded, w.failed from workflow_hour w
  where w.partner_id = any (array(select f.partner_id from usage_fill f)) and w.hour >= since and w.hour < until
  union all
  select date_trunc('hour', u.at, 'UTC'), k.counter, -u.credits, 1, 0, 0
  from usage_entry u cross join lateral (select u.kind as counter union all select 'ai_calls' where u.kind = 'ai_tokens' and u.execution_id is null) k
  where u.partner_id = any (array(select f.partner_id from usage_fill f)) and u.id >= uuid_floor(since - interval '3 days')
    and date_trunc('hour', u.at, 'UTC') >= since and date_trunc('hour', u.at, 'UTC') < until
$$;
revoke execute on function usage_of_all from public;
grant execute on function usage_of_all to portal_system;

