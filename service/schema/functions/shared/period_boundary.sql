-- Returns the first boundary of a billing period after an instant: whole months after the anchor (UTC), the day clamped to the month.
-- nextBoundary in core/billing/period.ts computes the same.
create or replace function period_boundary(anchor timestamptz, after timestamptz) returns timestamptz
language sql immutable strict parallel safe as $$
  select case when b.same_month > after then b.same_month else (b.anchored + make_interval(months => b.months + 1)) at time zone 'UTC' end
  from (
    select d.*, (d.anchored + make_interval(months => d.months)) at time zone 'UTC' as same_month
    from (
      select anchor at time zone 'UTC' as anchored,
        ((extract(year from after at time zone 'UTC') - extract(year from anchor at time zone 'UTC')) * 12
          + extract(month from after at time zone 'UTC') - extract(month from anchor at time zone 'UTC'))::int as months
    ) d
  ) b
$$;
grant execute on function period_boundary to portal_tenant, portal_system;
