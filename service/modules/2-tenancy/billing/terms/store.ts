import type { SubscriptionStatus, SuspensionCause } from '@partner-portal/contract/vocabulary.ts';
import type { AccountStatus } from '@partner-portal/core/account/account.ts';
import type { PeriodLine } from '@partner-portal/core/billing/charged.ts';
import type { Overrides } from '@partner-portal/core/billing/terms.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { CHARGES } from '#schema/invoice-columns.ts';

/** A stored subscription with the credits and the name of its partner. */
export type SubscriptionRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  planId: string;
  status: SubscriptionStatus;
  currency: string;
  periodAnchor: Date;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  trialEndsAt: Date | null;
  purchasedSeats: number;
  /** Included seats that the purchased ones were bought beyond, since terms changed in this period; null: those of the present terms. */
  purchasedBeyond: number | null;
  grantedSeats: number;
  purchasedCredits: number;
  overrides: Overrides;
  cancelAt: Date | null;
  pendingSeatRelease: number;
  pendingPlanId: string | null;
  pendingOverrides: Overrides | null;
  pastDueSince: Date | null;
  clockPausedAt: Date | null;
  clockPausedReason: string | null;
  accountStatus: AccountStatus;
  suspensionCause: SuspensionCause | null;
  updatedAt: Date;
};
/** Columns that the contract validated when they were written. */
type Parsed = Record<'status' | 'overrides' | 'pendingOverrides' | 'accountStatus' | 'suspensionCause', never>;

const COLUMNS = `s.id, s.partner_id, p.name as partner_name, s.plan_id, s.status, s.currency, s.period_anchor, s.current_period_start, s.current_period_end, s.trial_ends_at,
  s.purchased_seats, s.purchased_beyond, s.granted_seats, q.purchased_credits, s.overrides, s.cancel_at, s.pending_seat_release, s.pending_plan_id, s.pending_overrides,
  s.past_due_since, s.clock_paused_at, s.clock_paused_reason, s.updated_at,
  p.status as account_status, p.suspension_cause`;
const TABLES = 'subscription s join partner p on p.id = s.partner_id join partner_quota q on q.partner_id = s.partner_id';

/** Returns undefined for the house partner, a deleted one and one that is not visible. */
export async function findSubscription(tx: Tx, partnerId: string): Promise<SubscriptionRow | undefined> {
  const [row] = await runStatement<'billing_find_subscription', SubscriptionRow & Parsed>(tx, {
    name: 'billing_find_subscription',
    text: `select ${COLUMNS} from ${TABLES} where s.partner_id = $1 and p.status <> 'deleted'`,
    values: [partnerId],
  });
  return row;
}

/** Like `findSubscription`, with partner and subscription locked in this order until the commit: an invitation locks the partner as well. */
export async function lockTerms(tx: Tx, partnerId: string): Promise<SubscriptionRow | undefined> {
  await runStatement(tx, {
    name: 'billing_lock_terms_partner',
    text: 'select 1 as locked from partner where id = $1 for no key update',
    values: [partnerId],
  });
  const [row] = await runStatement<'billing_lock_terms', SubscriptionRow & Parsed>(tx, {
    name: 'billing_lock_terms',
    text: `select ${COLUMNS} from ${TABLES} where s.partner_id = $1 and p.status <> 'deleted' for update of s`,
    values: [partnerId],
  });
  return row;
}

/** Returns what the period that begins then was charged for plan and seats, and credited of it, oldest first: on its invoice, and since then. */
export async function listCharged(tx: Tx, partnerId: string, periodStart: Date): Promise<PeriodLine[]> {
  // The condition names the kinds, and a line of them has its period.
  return runStatement<'billing_list_charged', PeriodLine & Record<'kind' | 'periodStart', never>>(tx, {
    name: 'billing_list_charged',
    text: `select l.kind, l.description, l.quantity, l.unit_price_minor, l.amount_minor::float8 as amount_minor, l.period_start, l.period_end, l.order_id,
        l.left_minor::float8 as left_minor
      from (
        select w.*, null::bigint as left_minor from invoice_line w where w.partner_id = $1 and w.invoice_id is null
        union all
        select c.*, i.subtotal_minor + coalesce((select sum(n.subtotal_minor) from invoice n where n.credits_invoice_id = i.id), 0)
        from invoice i join invoice_line c on c.invoice_id = i.id where i.partner_id = $1 and i.period_start = $2 and ${CHARGES}
      ) l
      where l.kind in ('plan', 'seats', 'plan_credit') and l.period_start >= $2 order by l.period_start, l.id`,
    values: [partnerId, periodStart],
  });
}

export type Profile = {
  billingEmail: string | null;
  taxId: string | null;
  address: string | null;
  country: string | null;
  taxRateBasisPoints: number;
  taxNote: string | null;
  updatedAt: Date | null;
};

/** Returns who is invoiced; a partner that has changed nothing is not taxed. */
export async function findProfile(tx: Tx, partnerId: string): Promise<Profile> {
  const [row] = await runStatement<'billing_find_profile', Profile>(tx, {
    name: 'billing_find_profile',
    text: `select billing_email, tax_id, address, country, tax_rate_basis_points, tax_note, updated_at from billing_profile
      where partner_id = $1`,
    values: [partnerId],
  });
  return row ?? { billingEmail: null, taxId: null, address: null, country: null, taxRateBasisPoints: 0, taxNote: null, updatedAt: null };
}
