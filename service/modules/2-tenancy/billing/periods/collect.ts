import { formatMoney } from '@partner-portal/core/billing/money.ts';
import { collect, suspensionAt } from '@partner-portal/core/billing/collection.ts';
import { longDate, overdueDays } from '@partner-portal/core/billing/invoice.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { NewMail } from '#modules/1-ledger/mail/index.ts';
import type { BillingDeps } from '../deps.ts';
import { subscriptionRestored, subscriptionSuspended } from '../facts.ts';
import {
  type Clocked,
  type Due,
  isOverdue,
  listCollectable,
  lockClock,
  lockDue,
  writeReminders,
  writeStanding,
} from './store-collection.ts';

type CollectDeps = Pick<BillingDeps, 'db' | 'clock' | 'log' | 'mail' | 'collection'>;

const BATCH = 500;
const HREF = '/dashboard/billing';
/** Deduplication keys of its mail begin with one of these and the id of the invoice, or of the partner. */
const REMINDER_KEY = 'invoice_reminder:';
const PAST_DUE_KEY = 'payment_past_due:';

/**
 * Moves the payment clock of every agency with overdue invoices: reminders, `past_due`, suspension, each once however many processes do the
 * same. One transaction for each agency; one that fails is logged and tried again by the next sweep. Returns how many changed.
 */
export async function collectDue(deps: CollectDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, collection, log } = deps;
  const now = clock.now();
  let changed = 0;
  for (let after: string | null = null; ;) {
    const position: string | null = after;
    const due: string[] = await db.asSystem('sweep', (tx) => listCollectable(tx, collection, now, position, BATCH));
    for (const partnerId of due) {
      if (signal?.aborted) return changed;
      try {
        if (await db.asSystem('sweep', (tx) => collectFrom(tx, deps, partnerId, now))) changed += 1;
      } catch (error) {
        log.error({ err: error, partnerId }, 'payment clock of an agency failed, tried again by the next sweep');
      }
    }
    after = due.at(-1) ?? null;
    if (due.length < BATCH) return changed;
  }
}

async function collectFrom(tx: SystemTx, deps: CollectDeps, partnerId: string, now: Date): Promise<boolean> {
  const due = await lockDue(tx, partnerId, now);
  const state = await lockClock(tx, partnerId);
  if (!state) return false;
  const { reminders, becomes } = collect(state, due, deps.collection, now);
  let changed = becomes !== null;
  for (const { invoiceId, remindersSent, isMailed } of reminders) {
    const invoice = due.find(({ id }) => id === invoiceId);
    // Without anyone to mail it stays due: the next sweep sends the latest one.
    if (isMailed && invoice && (await mailReminder(tx, deps, { partnerId, state, invoice, remindersSent, now })) === 0) continue;
    await writeReminders(tx, invoiceId, remindersSent);
    changed = true;
  }
  const overdue = due.filter((invoice) => overdueDays(invoice, now) > 0);
  if (becomes === 'past_due') await markPastDue(tx, deps, { partnerId, state, overdue, now });
  if (becomes === 'suspended') await suspend(tx, { partnerId, state, overdue, now });
  return changed;
}

type Case = { partnerId: string; state: Clocked; now: Date };

async function mailReminder(
  tx: SystemTx,
  deps: CollectDeps,
  { partnerId, state, invoice, remindersSent, now }: Case & { invoice: Due; remindersSent: number },
): Promise<number> {
  const { id, number, currency, owedMinor, dueAt } = invoice;
  return mailPayer(tx, deps, state.billingEmail, {
    partnerId,
    kind: 'invoice_reminder',
    data: {
      number,
      owed: formatMoney(owedMinor, currency),
      dueOn: longDate(dueAt),
      overdueDays: overdueDays(invoice, now),
      suspendsAt: suspensionAt(state, deps.collection),
      href: HREF,
    },
    dedupeKey: `${REMINDER_KEY}${id}:${remindersSent}`,
  });
}

async function markPastDue(tx: SystemTx, deps: CollectDeps, { partnerId, state, overdue, now }: Case & { overdue: Due[] }): Promise<void> {
  await writeStanding(tx, partnerId, { status: 'past_due', pastDueSince: now });
  await recordAudit(tx, {
    partnerId,
    actor: { kind: 'system' },
    action: 'billing.past_due',
    target: { type: 'partner', id: partnerId, label: state.partnerName },
    changes: { status: [state.status, 'past_due'], invoices: [null, numbersOf(overdue)] },
  });
  const suspendsAt = new Date(now.getTime() + deps.collection.suspensionAfterDays * 86_400_000);
  await mailNotice(tx, deps, { partnerId, state, overdue, suspendsAt, dedupeKey: `${PAST_DUE_KEY}${partnerId}:${now.toISOString()}` });
}

type Notice = Pick<Case, 'partnerId' | 'state'> & { overdue: Due[]; suspendsAt: Date; dedupeKey: string };

async function mailNotice(tx: SystemTx, deps: CollectDeps, { partnerId, state, overdue, suspendsAt, dedupeKey }: Notice): Promise<number> {
  const invoices = overdue.map(({ number, owedMinor, currency, dueAt }) => ({
    number,
    owed: formatMoney(owedMinor, currency),
    dueOn: longDate(dueAt),
  }));
  return mailPayer(tx, deps, state.billingEmail, {
    partnerId,
    kind: 'payment_past_due',
    data: { invoices, suspendsAt, href: HREF },
    dedupeKey,
  });
}

/**
 * Mails the notice that the payment is past due again, whose reader lost access, while it is still true. With no one to mail, or while the clock stands
 * still, the next sweep that can reminds of the invoices instead.
 */
export async function mailNoticeAgain(deps: CollectDeps, { partnerId, key }: { partnerId: string; key: string }): Promise<void> {
  const now = deps.clock.now();
  await deps.db.asSystem('billing', async (tx) => {
    const due = await lockDue(tx, partnerId, now);
    const state = await lockClock(tx, partnerId);
    const overdue = due.filter((invoice) => overdueDays(invoice, now) > 0);
    if (state?.status !== 'past_due' || overdue.length === 0) return;
    const suspendsAt = suspensionAt(state, deps.collection);
    if (suspendsAt !== null && (await mailNotice(tx, deps, { partnerId, state, overdue, suspendsAt, dedupeKey: key })) > 0) return;
    for (const { id, remindersSent } of overdue) await writeReminders(tx, id, Math.max(0, remindersSent - 1));
  });
}

async function suspend(tx: SystemTx, { partnerId, state, overdue, now }: Case & { overdue: Due[] }): Promise<void> {
  await writeStanding(tx, partnerId, { status: 'suspended', pastDueSince: state.pastDueSince });
  await recordFact(tx, subscriptionSuspended, { partnerId, reason: `Invoices are unpaid: ${numbersOf(overdue)}.`, at: now });
}

/**
 * Cancels unsent reminders of an invoice, and makes the subscription active again if none is overdue any more; its account is resumed if
 * billing suspended it. Call it after the invoice was paid, voided or credited in full, with that invoice locked.
 */
export async function settleInvoice(
  { mail }: Pick<CollectDeps, 'mail'>,
  tx: SystemTx,
  { id, partnerId }: { id: string; partnerId: string },
  now: Date,
): Promise<void> {
  const state = await lockClock(tx, partnerId);
  await mail.cancelKeyed(tx, { partnerId, prefixes: [REMINDER_KEY + id] });
  if (!state || (state.status !== 'past_due' && state.status !== 'suspended')) return;
  // Not locked: a transaction that holds another invoice may wait for the subscription.
  if (await isOverdue(tx, partnerId, now)) return;
  await writeStanding(tx, partnerId, { status: 'active', pastDueSince: null });
  await mail.cancelKeyed(tx, { partnerId, prefixes: [PAST_DUE_KEY + partnerId] });
  await recordAudit(tx, {
    partnerId,
    actor: { kind: 'system' },
    action: 'billing.subscription_changed',
    target: { type: 'partner', id: partnerId, label: state.partnerName },
    changes: { status: [state.status, 'active'] },
  });
  if (state.status === 'suspended') await recordFact(tx, subscriptionRestored, { partnerId, at: now });
}

type PayerMail = { [K in 'invoice_reminder' | 'payment_past_due']: Omit<Extract<NewMail, { kind: K }>, 'to' | 'userId'> }[
  | 'invoice_reminder'
  | 'payment_past_due'];

/** Mails the address for invoices, or every admin when there is none. Returns how many were mailed. */
async function mailPayer(tx: SystemTx, { mail }: CollectDeps, billingEmail: string | null, content: PayerMail): Promise<number> {
  if (billingEmail === null) return mail.queueMailToAdmins(tx, content);
  await mail.queueMail(tx, { ...content, to: billingEmail });
  return 1;
}

function numbersOf(overdue: readonly Due[]): string {
  return overdue.map(({ number }) => number).join(', ');
}
