import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import type { CollectionRules, CollectionState, DueInvoice } from '@partner-portal/core/billing/collection.ts';
import { overdueSince } from '@partner-portal/core/billing/invoice.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { isOverdueBy, OWED_MINOR, OWES } from '#schema/invoice-columns.ts';

export type Due = DueInvoice & { number: string; currency: string };

/** Returns what a partner owes and is due, oldest first, locked until the commit: invoices are locked before their subscription. */
export async function lockDue(tx: SystemTx, partnerId: string, now: Date): Promise<Due[]> {
  return runStatement<'billing_lock_due', Due>(tx, {
    name: 'billing_lock_due',
    text: `select i.id, i.due_at, i.reminders_sent, i.number, i.currency, ${OWED_MINOR} as owed_minor from invoice i
      where i.partner_id = $1 and i.due_at < $2 and ${OWES} order by i.id for update of i`,
    values: [partnerId, now],
  });
}

/** Returns whether an invoice of the partner is overdue, as lists and counts say it. */
export async function isOverdue(tx: SystemTx, partnerId: string, now: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'billing_is_overdue',
    prepare: false,
    text: `select 1 as overdue from invoice i where i.partner_id = $1 and ${isOverdueBy('$2')} limit 1`,
    values: [partnerId, overdueSince(now)],
  });
  return rows.length > 0;
}

export type Clocked = CollectionState & { partnerName: string; billingEmail: string | null };

/** Locks a partner and its subscription, in this order, and returns the state of its payment clock. */
export async function lockClock(tx: SystemTx, partnerId: string): Promise<Clocked | undefined> {
  const [, [row]] = await Promise.all([
    runStatement(tx, {
      name: 'billing_lock_clock_partner',
      text: 'select 1 as locked from partner where id = $1 for no key update',
      values: [partnerId],
    }),
    runStatement<'billing_lock_clock', Clocked & Record<'status' | 'accountStatus' | 'suspensionCause', never>>(tx, {
      name: 'billing_lock_clock',
      text: `select p.name as partner_name, p.status as account_status, p.suspension_cause, s.status, s.past_due_since, s.clock_paused_at, b.billing_email
        from subscription s join partner p on p.id = s.partner_id left join billing_profile b on b.partner_id = s.partner_id
        where s.partner_id = $1 and p.status <> 'deleted' for update of s`,
      values: [partnerId],
    }),
  ]);
  return row;
}

/** Returns partners for whom the clock may do something, by id after the given one. `collect` decides under the locks. */
export async function listCollectable(
  tx: SystemTx,
  rules: CollectionRules,
  now: Date,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const before = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  const rows = await runStatement<'billing_list_collectable', { partnerId: string }>(tx, {
    name: 'billing_list_collectable',
    prepare: false,
    text: `select distinct i.partner_id from invoice i join subscription s on s.partner_id = i.partner_id join partner p on p.id = i.partner_id
      where ${OWES} and i.due_at < $1 and s.clock_paused_at is null and s.status <> 'suspended'
        and (p.status = 'active' or (p.status = 'suspended' and p.suspension_cause = 'billing' and s.status in ('expired', 'cancelled')))
        and (i.due_at <= ($2::timestamptz[])[i.reminders_sent + 1] or (s.status = 'active' and i.due_at <= $3) or (s.status = 'past_due' and s.past_due_since <= $4))
        and ($5::uuid is null or i.partner_id > $5)
      order by i.partner_id limit $6`,
    values: [now, rules.reminderDays.map(before), before(rules.pastDueAfterDays), before(rules.suspensionAfterDays), after, limit],
  });
  return rows.map(({ partnerId }) => partnerId);
}

export async function writeReminders(tx: SystemTx, invoiceId: string, remindersSent: number): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_reminders',
    prepare: false,
    text: 'update invoice set reminders_sent = $2 where id = $1',
    values: [invoiceId, remindersSent],
  });
}

/** Sets where the payment clock has brought the subscription. */
export async function writeStanding(
  tx: SystemTx,
  partnerId: string,
  standing: { status: SubscriptionStatus; pastDueSince: Date | null },
): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_standing',
    prepare: false,
    text: 'update subscription set status = $2, past_due_since = $3 where partner_id = $1',
    values: [partnerId, standing.status, standing.pastDueSince],
  });
}
