-- Releases what ended executions reserved, adds their cost, also to what chatbots used (`chat`), and counts those that failed without one by day (UTC). Returns the crossed usage thresholds, each once per
-- period, as a list of one object per partner; null for none, as nearly always. Publishing them needs a transaction: unless `may_cross`, a crossing is refused (PS409) and
-- nothing has changed.
create or replace function settle_quota(changed jsonb, may_cross boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  crossings jsonb;
begin
  if exists (select 1 from partner_quota q where q.period_end <= now() and q.partner_id in (select (c->>'partner')::uuid from jsonb_array_elements(changed) c)) then
    perform roll_quota((select array_agg(distinct (c->>'partner')::uuid) from jsonb_array_elements(changed) c));
  end if;
  with delta as (
    select (c->>'partner')::uuid as partner_id, sum((c->>'held')::int)::int as held, sum((c->>'charged')::int)::int as charged,
      (count(*) filter (where (c->>'free_failure')::boolean))::int as failed,
      coalesce(sum((c->>'held')::int) filter (where (c->>'chat')::boolean), 0)::int as chat_held, coalesce(sum((c->>'charged')::int) filter (where (c->>'chat')::boolean), 0)::int as chat_charged
    from jsonb_array_elements(changed) c group by 1
  ), locked as materialized (
    select q.partner_id, q.highest_threshold from partner_quota q where q.partner_id in (select d.partner_id from delta d) order by q.partner_id for update
  ), moved as (
    update partner_quota q set in_flight = greatest(0, q.in_flight - d.held), used = q.used + d.charged,
      chat_in_flight = greatest(0, q.chat_in_flight - d.chat_held), chat_used = q.chat_used + d.chat_charged,
      failed_on = case when d.failed > 0 then (now() at time zone 'UTC')::date else q.failed_on end,
      failed_free = case when d.failed = 0 then q.failed_free when q.failed_on = (now() at time zone 'UTC')::date then q.failed_free + d.failed else d.failed end,
      highest_threshold = greatest(q.highest_threshold, coalesce((
        select max(t) from unnest(q.thresholds) t where (q.used + d.charged)::bigint * 100 >= t::bigint * (q.monthly_credits + q.purchased_credits)), 0))
    from delta d, locked l where q.partner_id = d.partner_id and l.partner_id = d.partner_id
    returning q.*, l.highest_threshold as before
  )
  select jsonb_agg(jsonb_build_object('partnerId', m.partner_id, 'percents', x.percents, 'used', m.used, 'limit', m.monthly_credits + m.purchased_credits,
    'periodStart', iso_time(m.period_start), 'periodEnd', iso_time(m.period_end)) order by m.partner_id) into crossings
  from moved m cross join lateral (select array_agg(t order by t) as percents from unnest(m.thresholds) t where t > m.before and t <= m.highest_threshold) x
  where x.percents is not null;
  if crossings is not null and not may_cross then
    raise exception 'a usage threshold is crossed' using errcode = 'PS409';
  end if;
  return crossings;
end $$;
revoke execute on function settle_quota from public;
