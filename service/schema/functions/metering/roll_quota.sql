-- Moves partners whose period has ended into the current one. Unused purchased credits carry over.
create or replace function roll_quota(partner_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  -- Locks all named rows in partner order, not only those whose period has ended: callers lock more of them afterwards.
  select 1 from partner_quota q where q.partner_id = any(partner_ids) order by q.partner_id for update;
  update partner_quota q set
    period_start = q.period_start + make_interval(months => n.months),
    period_end = q.period_start + make_interval(months => n.months + 1),
    purchased_credits = greatest(0, q.purchased_credits - greatest(0, q.used - q.monthly_credits)),
    used = 0, highest_threshold = 0
  from (select p.partner_id,
          (select count(*)::int from generate_series(1, 1200) s where p.period_start + make_interval(months => s) <= now()) as months
        from partner_quota p where p.partner_id = any(partner_ids) and p.period_end <= now()) n
  where q.partner_id = n.partner_id and q.period_end <= now()
$$;
revoke execute on function roll_quota from public;
grant execute on function roll_quota to portal_tenant, portal_system;
