-- Locks a subscription whose period has ended at `at`, closes that period of its meter and returns what decides about the next one; no row
-- when there is nothing to do. Lock order: partner, subscription, meter. Transactions that change seats in use hold the partner.
create or replace function lock_ended_period(partner uuid, at timestamptz)
returns table (
  partner_name text, status text, period_start timestamptz, period_end timestamptz, period_anchor timestamptz, currency text, cancel_at timestamptz,
  purchased_seats int, purchased_beyond int, granted_seats int, released_seats int, deletion_approved boolean, present jsonb, pending jsonb
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  ended timestamptz;
begin
  perform 1 from partner p where p.id = partner and p.status <> 'deleted' for no key update;
  if not found then return; end if;
  select s.current_period_end into ended from subscription s
  where s.partner_id = partner and s.status in ('trialing', 'active', 'past_due', 'suspended') and s.current_period_end <= lock_ended_period.at for update;
  if not found then return; end if;
  perform roll_quota(array[partner], ended);
  return query
  select p.name, s.status, s.current_period_start, s.current_period_end, s.period_anchor, s.currency, s.cancel_at,
    s.purchased_seats, s.purchased_beyond, s.granted_seats, s.pending_seat_release, p.suspension_cause is not distinct from 'deletion_approved', billing_terms(g, s.overrides), billing_terms(n, s.pending_overrides)
  from subscription s join partner p on p.id = s.partner_id join plan g on g.id = s.plan_id left join plan n on n.id = s.pending_plan_id
  where s.partner_id = partner;
end $$;
revoke execute on function lock_ended_period from public;
grant execute on function lock_ended_period to portal_system;
