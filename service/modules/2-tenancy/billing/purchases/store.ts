import type { Overrides, PlanTerms } from '@partner-portal/core/billing/terms.ts';
import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type CreditPack = { id: string; credits: number; priceMinor: number };

/** The subscription a purchase is made on, with its plan. */
export type LockedSubscription = Omit<PlanTerms, 'features'> & {
  partnerId: string;
  partnerName: string;
  status: SubscriptionStatus;
  periodStart: Date;
  periodEnd: Date;
  purchasedSeats: number;
  pendingSeatRelease: number;
  overrides: Overrides;
  creditPacks: CreditPack[];
};

/**
 * Locks a partner and its subscription until the commit and returns them; undefined for the house partner and a deleted one. Inviting
 * locks the partner as well, so seats counted afterwards hold.
 */
export async function lockSubscription(tx: Tx, partnerId: string): Promise<LockedSubscription | undefined> {
  await runStatement(tx, {
    name: 'billing_lock_partner',
    text: 'select 1 as locked from partner where id = $1 for no key update',
    values: [partnerId],
  });
  // Status, overrides and packs were validated by the contract when they were written.
  const [row] = await runStatement<'billing_lock_subscription', LockedSubscription>(tx, {
    name: 'billing_lock_subscription',
    text: `select s.partner_id, p.name as partner_name, s.status, s.current_period_start as period_start, s.current_period_end as period_end,
        s.purchased_seats, s.pending_seat_release, s.overrides, s.currency, g.credit_packs, g.monthly_price_minor, g.seat_price_minor,
        g.included_seats, g.included_clients, g.monthly_credits
      from subscription s join partner p on p.id = s.partner_id join plan g on g.id = s.plan_id
      where s.partner_id = $1 and p.status <> 'deleted' for update of s`,
    values: [partnerId],
  });
  return row;
}

export type NewOrder = {
  partnerId: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  pack: CreditPack | null;
  orderedBy: string;
  at: Date;
};

/** Stores an order. A trigger makes what it bought usable in this transaction. Returns its id. */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<string> {
  const { pack, quantity } = order;
  const [row] = await runStatement<'billing_insert_order', { id: string }>(tx, {
    name: 'billing_insert_order',
    text: `insert into billing_order (partner_id, kind, quantity, unit_price_minor, amount_minor, currency, pack_id, credits, ordered_by, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    values: [
      order.partnerId,
      pack === null ? 'seats' : 'credits',
      quantity,
      order.unitPriceMinor,
      order.amountMinor,
      order.currency,
      pack?.id ?? null,
      pack === null ? null : pack.credits * quantity,
      order.orderedBy,
      order.at,
    ],
  });
  if (!row) throw new Error('An order was not stored.');
  return row.id;
}

export type OrderLine = {
  partnerId: string;
  orderId: string;
  kind: 'seats' | 'credits';
  description: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  period: { start: Date; end: Date } | null;
  at: Date;
};

/** Stores the line of an order, which waits for the next invoice. */
export async function insertWaitingLine(tx: Tx, line: OrderLine): Promise<void> {
  await runStatement(tx, {
    name: 'billing_insert_order_line',
    text: `insert into invoice_line (partner_id, order_id, kind, description, quantity, unit_price_minor, amount_minor, currency, period_start, period_end, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      line.partnerId,
      line.orderId,
      line.kind,
      line.description,
      line.quantity,
      line.unitPriceMinor,
      line.amountMinor,
      line.currency,
      line.period?.start ?? null,
      line.period?.end ?? null,
      line.at,
    ],
  });
}

export async function setPendingRelease(tx: Tx, partnerId: string, quantity: number): Promise<void> {
  await runStatement(tx, {
    name: 'billing_set_release',
    text: 'update subscription set pending_seat_release = $2 where partner_id = $1',
    values: [partnerId, quantity],
  });
}

export type Credits = { monthly: number; purchased: number; used: number };

export async function readCredits(tx: Tx, partnerId: string): Promise<Credits> {
  const [row] = await runStatement<'billing_credits', Credits>(tx, {
    name: 'billing_credits',
    text: 'select monthly_credits as monthly, purchased_credits as purchased, used from partner_quota where partner_id = $1',
    values: [partnerId],
  });
  return row ?? { monthly: 0, purchased: 0, used: 0 };
}

export type NewAdjustment = {
  partnerId: string;
  credits: number | null;
  seats: number | null;
  note: string;
  adjustedBy: string;
  createdAt: Date;
};

/** Stores credits or seats without charge; a trigger adds them. Returns the id. */
export async function insertAdjustment(tx: Tx, of: NewAdjustment): Promise<string> {
  const [row] = await runStatement<'billing_insert_adjustment', { id: string }>(tx, {
    name: 'billing_insert_adjustment',
    prepare: false,
    text: 'insert into billing_adjustment (partner_id, credits, seats, note, adjusted_by, created_at) values ($1, $2, $3, $4, $5, $6) returning id',
    values: [of.partnerId, of.credits, of.seats, of.note, of.adjustedBy, of.createdAt],
  });
  if (!row) throw new Error('An adjustment was not stored.');
  return row.id;
}

/** Locks the credits of a partner until the commit: runs settle on this row. */
export async function lockQuota(tx: Tx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'billing_lock_quota',
    prepare: false,
    text: 'select 1 as locked from partner_quota where partner_id = $1 for update',
    values: [partnerId],
  });
}

/** Who is invoiced and where. */
export type Settings = { billingEmail: string | null; taxId: string | null; address: string | null; country: string | null };
export type SavedSettings = Settings & { updatedAt: Date };

/** The details as they are, locked until the commit; none at first. */
export async function lockSettings(tx: Tx, partnerId: string, now: Date): Promise<SavedSettings> {
  await runStatement(tx, {
    name: 'billing_create_settings',
    text: 'insert into billing_profile (partner_id, updated_at) values ($1, $2) on conflict (partner_id) do nothing',
    values: [partnerId, now],
  });
  const [row] = await runStatement<'billing_lock_settings', SavedSettings>(tx, {
    name: 'billing_lock_settings',
    text: 'select billing_email, tax_id, address, country, updated_at from billing_profile where partner_id = $1 for update',
    values: [partnerId],
  });
  return row ?? { billingEmail: null, taxId: null, address: null, country: null, updatedAt: now };
}

export async function saveSettings(
  tx: Tx,
  partnerId: string,
  { billingEmail, taxId, address, country }: Settings,
  now: Date,
): Promise<Date> {
  const [row] = await runStatement<'billing_save_settings', { updatedAt: Date }>(tx, {
    name: 'billing_save_settings',
    text: `update billing_profile set billing_email = $2, tax_id = $3, address = $4, country = $5,
        updated_at = greatest($6, updated_at + interval '1 millisecond')
      where partner_id = $1 returning updated_at`,
    values: [partnerId, billingEmail, taxId, address, country, now],
  });
  return row?.updatedAt ?? now;
}
