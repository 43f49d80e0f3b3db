import type { InvoiceLine } from '@partner-portal/core/billing/next-invoice.ts';
import type { Period } from '@partner-portal/core/billing/period.ts';
import type { Overrides } from '@partner-portal/core/billing/terms.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

type StoredTerms = { partnerId: string; planId: string; overrides: Overrides };

/**
 * Replaces plan and overrides at once; terms and a cancellation that waited no longer do unless they are kept. `purchasedBeyond`: the included seats of the terms
 * before, when they change; the first ones of a period count.
 */
export async function writeTerms(
  tx: SystemTx,
  terms: StoredTerms & { purchasedBeyond: number | null },
  { keepsPending, keepsCancellation }: { keepsPending: boolean; keepsCancellation: boolean },
): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_terms',
    prepare: false,
    text: `update subscription set plan_id = $2, overrides = $3::jsonb, purchased_beyond = coalesce(purchased_beyond, $4),
      pending_plan_id = case when $5 then pending_plan_id end, pending_overrides = case when $5 then pending_overrides end,
      cancel_at = case when $6 then cancel_at end where partner_id = $1`,
    values: [terms.partnerId, terms.planId, JSON.stringify(terms.overrides), terms.purchasedBeyond, keepsPending, keepsCancellation],
  });
}

/** Stores terms that replace the present ones when the period ends. */
export async function writePendingTerms(tx: SystemTx, terms: StoredTerms, keepsCancellation: boolean): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_pending_terms',
    prepare: false,
    text: `update subscription set pending_plan_id = $2, pending_overrides = $3::jsonb, cancel_at = case when $4 then cancel_at end
      where partner_id = $1`,
    values: [terms.partnerId, terms.planId, JSON.stringify(terms.overrides), keepsCancellation],
  });
}

/** Begins a paid period, whose start is the new anchor, with these purchased seats. Clears an ended subscription and pending changes. */
export async function writeBegin(
  tx: SystemTx,
  terms: StoredTerms & { purchasedSeats: number; currency: string; period: Period },
): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_begin',
    prepare: false,
    text: `update subscription set plan_id = $2, overrides = $3::jsonb, currency = $4, status = 'active', period_anchor = $5, current_period_start = $5,
        current_period_end = $6, trial_ends_at = null, cancel_at = null, past_due_since = null, pending_plan_id = null, pending_overrides = null,
        purchased_seats = $7, purchased_beyond = null, pending_seat_release = least(pending_seat_release, $7)
      where partner_id = $1`,
    values: [
      terms.partnerId,
      terms.planId,
      JSON.stringify(terms.overrides),
      terms.currency,
      terms.period.start,
      terms.period.end,
      terms.purchasedSeats,
    ],
  });
}

/** Continues as a trial on these terms. */
export async function writeTrial(tx: SystemTx, terms: StoredTerms & { currency: string; trialEndsAt: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_trial',
    prepare: false,
    text: `update subscription set plan_id = $2, overrides = $3::jsonb, currency = $4, status = 'trialing', trial_ends_at = $5, cancel_at = null,
      pending_plan_id = null, pending_overrides = null where partner_id = $1`,
    values: [terms.partnerId, terms.planId, JSON.stringify(terms.overrides), terms.currency, terms.trialEndsAt],
  });
}

/** Sets the monthly credits of the present period; what was used stays used. */
export async function writeMonthlyCredits(tx: SystemTx, partnerId: string, monthlyCredits: number): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_credits',
    prepare: false,
    text: 'update partner_quota set monthly_credits = $2 where partner_id = $1',
    values: [partnerId, monthlyCredits],
  });
}

/** Lets the meter's period end now, which anchors those that follow. The next read of the meter closes it. */
export async function endMeter(tx: SystemTx, partnerId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'billing_end_meter',
    prepare: false,
    text: `update partner_quota set period_end = $2, period_anchor = $2 where partner_id = $1 and period_start < $2`,
    values: [partnerId, now],
  });
}

/** Moves the end of the meter's period with the subscription's, which anchors those that follow. */
export async function writePeriodEnd(tx: SystemTx, partnerId: string, end: Date): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_period_end',
    prepare: false,
    text: `with s as (
        update subscription set current_period_end = $2, period_anchor = $2, cancel_at = case when cancel_at is null then null else $2::timestamptz end
        where partner_id = $1)
      update partner_quota set period_end = $2, period_anchor = $2 where partner_id = $1 and period_start < $2`,
    values: [partnerId, end],
  });
}

/** Stores lines that wait for the next invoice, in their order. */
export async function insertWaitingLines(
  tx: SystemTx,
  to: { partnerId: string; currency: string; at: Date },
  lines: readonly InvoiceLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await runStatement(tx, {
    name: 'billing_insert_waiting_lines',
    prepare: false,
    text: `insert into invoice_line (partner_id, kind, description, quantity, unit_price_minor, amount_minor, currency, period_start, period_end, created_at)
      select $1, l.kind, l.description, l.quantity, l."unitPriceMinor", l."amountMinor", $2, l."periodStart", l."periodEnd", $3
      from jsonb_to_recordset($4::jsonb) as l(kind text, description text, quantity int, "unitPriceMinor" int, "amountMinor" bigint,
        "periodStart" timestamptz, "periodEnd" timestamptz, position int) order by l.position`,
    values: [to.partnerId, to.currency, to.at, JSON.stringify(lines.map((line, position) => ({ ...line, position })))],
  });
}

/** The subscription counts as changed: staff see and change both together. */
export async function writeTax(tx: SystemTx, partnerId: string, tax: { rateBasisPoints: number; note: string | null }): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_tax',
    prepare: false,
    text: `with touched as (update subscription set updated_at = updated_at where partner_id = $1)
      insert into billing_profile (partner_id, tax_rate_basis_points, tax_note) values ($1, $2, $3)
      on conflict (partner_id) do update set tax_rate_basis_points = $2, tax_note = $3`,
    values: [partnerId, tax.rateBasisPoints, tax.note],
  });
}

/** Locks the drafts of a partner until the commit. */
export async function lockDrafts(tx: SystemTx, partnerId: string): Promise<{ id: string; subtotalMinor: number }[]> {
  return runStatement<'billing_lock_drafts', { id: string; subtotalMinor: number }>(tx, {
    name: 'billing_lock_drafts',
    prepare: false,
    text: `select id, subtotal_minor::float8 as subtotal_minor from invoice where partner_id = $1 and status = 'draft' order by id for update`,
    values: [partnerId],
  });
}

/** Writes the tax of drafts. The caller holds them. */
export async function writeDraftTax(
  tx: SystemTx,
  tax: { rateBasisPoints: number; note: string | null },
  drafts: readonly { id: string; taxMinor: number }[],
): Promise<void> {
  if (drafts.length === 0) return;
  await runStatement(tx, {
    name: 'billing_write_draft_tax',
    prepare: false,
    text: `update invoice i set tax_rate_basis_points = $1, tax_note = $2, tax_minor = d.tax, total_minor = i.subtotal_minor + d.tax
      from unnest($3::uuid[], $4::bigint[]) as d(id, tax) where i.id = d.id and i.status = 'draft'`,
    values: [tax.rateBasisPoints, tax.note, drafts.map(({ id }) => id), drafts.map(({ taxMinor }) => taxMinor)],
  });
}

export async function writeClockPause(tx: SystemTx, partnerId: string, pause: { at: Date; reason: string } | null): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_clock_pause',
    prepare: false,
    text: 'update subscription set clock_paused_at = $2, clock_paused_reason = $3 where partner_id = $1',
    values: [partnerId, pause?.at ?? null, pause?.reason ?? null],
  });
}

/** Sets the status and what depends on it; null empties a time. */
export async function writeStatus(
  tx: SystemTx,
  partnerId: string,
  state: { status: string; cancelAt: Date | null; pastDueSince: Date | null },
): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_status',
    prepare: false,
    text: 'update subscription set status = $2, cancel_at = $3, past_due_since = $4 where partner_id = $1',
    values: [partnerId, state.status, state.cancelAt, state.pastDueSince],
  });
}

/** Returns whether anything was ever charged or credited: the currency is fixed from then on. */
export async function hasCharges(tx: SystemTx, partnerId: string): Promise<boolean> {
  const [row] = await runStatement<'billing_has_charges', { charged: boolean }>(tx, {
    name: 'billing_has_charges',
    prepare: false,
    text: 'select exists (select 1 from invoice_line where partner_id = $1) as charged',
    values: [partnerId],
  });
  return row?.charged ?? false;
}
