-- Closes the ended periods of partners one after another: what a period used beyond its monthly credits is taken from the purchased ones, in
-- the ledger, and usage thresholds are armed again. The next period has the monthly credits of the subscription's terms as they are now; of
-- the terms that wait for the end of its period from that boundary on. `at` is the caller's time.
create or replace function roll_quota(partner_ids uuid[], at timestamptz default now()) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  -- Locks all named rows in partner order, not only those whose period has ended: callers lock more of them afterwards.
  perform 1 from partner_quota q where q.partner_id = any(partner_ids) order by q.partner_id for update;
  loop
    with ended as materialized (
      select q.partner_id, q.period_start, q.period_end, q.monthly_credits, q.purchased_credits, q.used,
        least(q.purchased_credits, greatest(0, q.used - q.monthly_credits)) as taken, period_boundary(q.period_anchor, q.period_end) as next_end,
        coalesce((t.overrides->>'monthlyCredits')::int, g.monthly_credits, q.monthly_credits) as next_monthly
      from partner_quota q
      left join subscription s on s.partner_id = q.partner_id
      left join lateral (
        select case when w.is_due then s.pending_plan_id else s.plan_id end as plan_id, case when w.is_due then s.pending_overrides else s.overrides end as overrides
        from (select s.pending_plan_id is not null and q.period_end >= s.current_period_end as is_due) w
      ) t on true
      left join plan g on g.id = t.plan_id
      where q.partner_id = any(partner_ids) and q.period_end <= roll_quota.at
    ), closed as (
      insert into quota_period (partner_id, period_start, period_end, monthly_credits, purchased_credits, used, taken)
      select e.partner_id, e.period_start, e.period_end, e.monthly_credits, e.purchased_credits, e.used, e.taken from ended e
    ), ledger as (
      insert into usage_entry (id, kind, partner_id, credits, note, at)
      -- Its id is of its own time, like that of every entry: the roll-over may come days later.
      select uuidv7(roll_quota.at - clock_timestamp()), 'adjustment', e.partner_id, -e.taken, 'Used beyond the monthly credits from ' || to_char(e.period_start at time zone 'UTC', 'YYYY-MM-DD')
        || ' to ' || to_char(e.period_end at time zone 'UTC', 'YYYY-MM-DD'), roll_quota.at
      from ended e where e.taken > 0
    )
    update partner_quota q set period_start = e.period_end, period_end = e.next_end, monthly_credits = e.next_monthly,
      purchased_credits = q.purchased_credits - e.taken, used = 0, highest_threshold = 0,
      chat_used = 0, chat_share_reached = null, chat_reserve_reached = null
    from ended e where q.partner_id = e.partner_id;
    exit when not found;
  end loop;
end $$;
revoke execute on function roll_quota from public;
grant execute on function roll_quota to portal_tenant, portal_system;
