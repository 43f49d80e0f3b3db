-- Return the usage of one agency, or of all, by the hour: what was folded, and what was noted since. Row-level security of the caller applies. A counter has several rows in an hour: add them up.
create or replace function usage_of(of_partner uuid, since timestamptz, until timestamptz)
returns table (hour timestamptz, counter text, credits bigint, entries bigint, succeeded bigint, failed bigint, contacted bigint)
language sql stable as $$
  select h.hour, h.counter, h.credits, h.entries, h.succeeded, h.failed, h.contacted from usage_hour h
  where h.partner_id = of_partner and h.hour >= since and h.hour < until
  union all
  select d.hour, d.counter, d.credits, d.entries, d.succeeded, d.failed, d.contacted from usage_delta d
  where d.partner_id = of_partner and d.hour >= since and d.hour < until
$$;
revoke execute on function usage_of from public;
grant execute on function usage_of to portal_tenant, portal_system;

create or replace function usage_of_all(since timestamptz, until timestamptz)
returns table (hour timestamptz, counter text, credits bigint, entries bigint, succeeded bigint, failed bigint)
language sql stable as $$
  select h.hour, h.counter, h.credits, h.entries, h.succeeded, h.failed from platform_hour h where h.hour >= since and h.hour < until
  union all
  select d.hour, d.counter, d.credits, d.entries, d.succeeded, d.failed from usage_delta d
  where d.hour >= since and d.hour < until
$$;
revoke execute on function usage_of_all from public;
grant execute on function usage_of_all to portal_system;

