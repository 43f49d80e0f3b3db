import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Overrides, PlanTerms } from '@partner-portal/core/billing/terms.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** A plan with a partner's exceptions from it. */
export type StoredTerms = { planId: string; planName: string; plan: PlanTerms; overrides: Overrides };

export type EndedSubscription = {
  partnerName: string;
  status: SubscriptionStatus;
  periodStart: Date;
  periodEnd: Date;
  periodAnchor: Date;
  currency: string;
  cancelAt: Date | null;
  purchasedSeats: number;
  purchasedBeyond: number | null;
  grantedSeats: number;
  releasedSeats: number;
  deletionApproved: boolean;
  present: StoredTerms;
  pending: StoredTerms | null;
};

/** Locks the partner and its subscription, and closes the ended period of its meter. Undefined when the period has not ended at `now`. */
export async function lockEndedPeriod(tx: SystemTx, partnerId: string, now: Date): Promise<EndedSubscription | undefined> {
  // The contract validated these values when they were written.
  type Parsed = Record<'status' | 'present' | 'pending', never>;
  const [row] = await runStatement<'billing_lock_ended_period', EndedSubscription & Parsed>(tx, {
    name: 'billing_lock_ended_period',
    text: `select partner_name, status, period_start, period_end, period_anchor, currency, cancel_at, purchased_seats, purchased_beyond, granted_seats, released_seats, deletion_approved, present, pending
      from lock_ended_period($1, $2)`,
    values: [partnerId, now],
  });
  return row;
}

export type DuePosition = { partnerId: string; periodEnd: Date };

/** Returns subscriptions whose period has ended, the longest ended first, after the given one. */
export async function listEndedPeriods(tx: SystemTx, now: Date, after: DuePosition | null, limit: number): Promise<DuePosition[]> {
  return runStatement<'billing_list_ended_periods', DuePosition>(tx, {
    name: 'billing_list_ended_periods',
    prepare: false,
    text: `select s.partner_id, s.current_period_end as period_end from subscription s join partner p on p.id = s.partner_id and p.status <> 'deleted'
      where s.status in ('trialing', 'active', 'past_due', 'suspended') and s.current_period_end <= $1
        and ($2::timestamptz is null or (s.current_period_end, s.partner_id) > ($2, $3::uuid))
      order by s.current_period_end, s.partner_id limit $4`,
    values: [now, after?.periodEnd ?? null, after?.partnerId ?? null, limit],
  });
}

export type NextPeriod = {
  partnerId: string;
  start: Date;
  end: Date;
  planId: string;
  overrides: Overrides;
  purchasedSeats: number;
};

/** Begins the next period on these terms; nothing waits any more. */
export async function beginPeriod(tx: SystemTx, next: NextPeriod): Promise<void> {
  await runStatement(tx, {
    name: 'billing_begin_period',
    text: `update subscription set current_period_start = $2, current_period_end = $3, plan_id = $4, overrides = $5, purchased_seats = $6,
        purchased_beyond = null, pending_seat_release = 0, pending_plan_id = null, pending_overrides = null where partner_id = $1`,
    values: [next.partnerId, next.start, next.end, next.planId, JSON.stringify(next.overrides), next.purchasedSeats],
  });
}

/** Gives the meter the monthly credits of the present terms again, from a boundary on at which other terms did not fit. */
export async function keepMonthlyCredits(tx: SystemTx, partnerId: string, since: Date, monthlyCredits: number): Promise<void> {
  await runStatement(tx, {
    name: 'billing_keep_monthly_credits',
    prepare: false,
    text: 'update partner_quota set monthly_credits = $3 where partner_id = $1 and period_start >= $2',
    values: [partnerId, since, monthlyCredits],
  });
}

/** Ends a cancelled subscription, which keeps these purchased seats for its resumption. */
export async function endSubscription(tx: SystemTx, partnerId: string, purchasedSeats: number): Promise<void> {
  await runStatement(tx, {
    name: 'billing_end_subscription',
    prepare: false,
    text: `update subscription set status = 'cancelled', purchased_seats = $2, pending_seat_release = 0, pending_plan_id = null, pending_overrides = null,
        past_due_since = null where partner_id = $1`,
    values: [partnerId, purchasedSeats],
  });
}

/** Returns the clients that count against the plan; those whose deletion is approved do not. */
export async function countClients(tx: Tx, partnerId: string): Promise<number> {
  const [row] = await runStatement<'billing_count_clients', { used: number }>(tx, {
    name: 'billing_count_clients',
    prepare: false,
    text: `select count(*)::int as used from client where partner_id = $1 and status in ('active', 'suspended') and suspension_cause is distinct from 'deletion_approved'`,
    values: [partnerId],
  });
  return row?.used ?? 0;
}
