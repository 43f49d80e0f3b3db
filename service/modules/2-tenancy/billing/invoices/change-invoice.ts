import { dueDate, type InvoiceAction, invoiceNumber, refusedAction } from '@partner-portal/core/billing/invoice.ts';
import { formatMoney, taxOn } from '@partner-portal/core/billing/money.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { BillingDeps } from '../deps.ts';
import { storeDraft } from '../periods/draft-invoice.ts';
import { settleInvoice } from '../periods/index.ts';
import { findTax } from '../periods/store-drafts.ts';
import { documentMailKey, invoiceMailJob, voidMailKey } from './invoice-mail-job.ts';
import { describeInvoice } from './read-invoices.ts';
import { sellerOf } from './seller.ts';
import { findInvoice, type InvoiceFull, listLines, lockInvoice, type Profile, readProfile } from './store.ts';
import { findRestCredits, sumOf, takeBackCredits } from './take-back-credits.ts';
import { listReaders, unmarkMailed, wasMailed } from './store-document.ts';
import { type LaterLine, takeNumber, writeIssued, writeOrders, writePaid, writeVoid } from './store-change.ts';

/** Issues a draft: number, date, parties and tax are frozen in one transaction, and its mail is queued. */
export async function issueInvoice(deps: BillingDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const { invoice, number } = await issueDraft(deps, tx, id, now);
    return changed(tx, caller, invoice, 'invoice.issued', { status: ['draft', 'issued'], number: [null, number] });
  });
}

/** Issues a draft at `now`. Returns the draft and its number. */
export async function issueDraft(deps: Pick<BillingDeps, 'invoicing'>, tx: SystemTx, id: string, now: Date) {
  const invoice = await takeInvoice(tx, id, 'issue');
  const number = await freeze(deps, tx, invoice, await profileOf(tx, invoice), now);
  await writeOrders(tx, id, 'invoiced');
  return { invoice, number };
}

/**
 * Writes everything that an issued invoice says. A credit note keeps the tax of its invoice, which the caller passes as `tax`.
 * Returns the number.
 */
export async function freeze(
  deps: Pick<BillingDeps, 'invoicing'>,
  tx: SystemTx,
  invoice: Pick<InvoiceFull, 'id' | 'kind'>,
  profile: Profile,
  now: Date,
  tax?: { rateBasisPoints: number; note: string | null; taxMinor: number },
): Promise<string> {
  const seller = sellerOf(deps.invoicing);
  const lines = await listLines(tx, invoice.id);
  const subtotalMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
  const { taxRateBasisPoints, taxNote, ...buyer } = profile;
  const rate = tax?.rateBasisPoints ?? taxRateBasisPoints;
  const year = now.getUTCFullYear();
  const number = invoiceNumber(year, await takeNumber(tx, year));
  await writeIssued(tx, invoice.id, {
    number,
    subtotalMinor,
    taxRateBasisPoints: rate,
    taxNote: tax ? tax.note : taxNote,
    taxMinor: tax?.taxMinor ?? taxOn(subtotalMinor, rate),
    seller,
    buyer,
    paymentInstructions: invoice.kind === 'invoice' ? deps.invoicing.paymentInstructions : null,
    issuedAt: now,
    dueAt: invoice.kind === 'invoice' ? dueDate(now, deps.invoicing.dueDays) : null,
  });
  await enqueue(tx, invoiceMailJob, { invoiceId: invoice.id }, { key: `billing.mail_invoice:${invoice.id}` });
  return number;
}

/** Records the payment of an issued invoice. `paidAt` may lie in the past, on the day of issue at the earliest. */
export async function payInvoice(
  deps: BillingDeps,
  caller: RequestContext,
  id: string,
  payment: { reference: string; paidAt?: string | undefined },
) {
  const { actor, now } = caller;
  const at = payment.paidAt === undefined ? now : new Date(payment.paidAt);
  if (at > now) refuseField('paidAt', 'in_the_future', 'The payment date cannot be in the future.');
  return deps.db.asStaff(actor, async (tx) => {
    const invoice = await takeInvoice(tx, id, 'pay');
    if (invoice.issuedAt && at.toISOString().slice(0, 10) < invoice.issuedAt.toISOString().slice(0, 10))
      refuseField('paidAt', 'before_issue', 'The payment date cannot be before the issue date of the invoice.');
    await writePaid(tx, id, { at, reference: payment.reference });
    await settleInvoice(deps, tx, invoice, now);
    return changed(tx, caller, invoice, 'invoice.paid', {
      status: ['issued', 'paid'],
      reference: [null, payment.reference],
      paidAt: [null, at],
    });
  });
}

/**
 * Voids a draft or an unpaid invoice, which keeps its number, and cancels its unsent mail; those who got the mail are mailed that it is void. Its orders are void and the credits of its unused rest removed,
 * unless `replace` drafts an issued one again, such as with a tax ID that was missing. Refused while an issued invoice has such a credit (BILL-62).
 */
export async function voidInvoice(
  deps: BillingDeps,
  caller: RequestContext,
  id: string,
  { reason, replace = false }: { reason: string; replace?: boolean | undefined },
) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const invoice = await takeInvoice(tx, id, 'void');
    if (replace && invoice.status === 'draft')
      refuse('invalid_state', { detail: 'A draft is issued with the present details. Only an issued invoice is drafted again.' });
    const credits = replace ? null : await findRestCredits(tx, invoice);
    const refused = credits && refusedVoid(invoice, credits.issued);
    if (refused) refuse('invalid_state', { detail: refused });
    await writeVoid(tx, id, { at: now, reason });
    if (replace) await draftAgain(tx, invoice, now);
    else await writeOrders(tx, id, 'void');
    const takenBack = credits ? await takeBackCredits(tx, invoice, credits.open) : {};
    if (invoice.status === 'issued') {
      await settleInvoice(deps, tx, invoice, now);
      await deps.mail.cancelKeyed(tx, { partnerId: invoice.partnerId, prefixes: [documentMailKey(id)] });
      if (await wasMailed(tx, id)) await mailVoid(deps, tx, invoice, { reason, isDraftedAgain: replace });
    }
    return changed(tx, caller, invoice, 'invoice.voided', {
      status: [invoice.status, 'void'],
      // The agency never sees a draft, so why it is void is for staff alone (AUD-16).
      [invoice.status === 'draft' ? 'internalNotes' : 'reason']: [null, reason],
      ...(replace ? { draftedAgain: [null, true] } : {}),
      ...takenBack,
    });
  });
}

/** Mails those who get invoices, the present address, which is sent reminders, and all who were sent this one or a reminder, that it is not to be paid. */
async function mailVoid(
  { mail }: Pick<BillingDeps, 'mail'>,
  tx: SystemTx,
  invoice: InvoiceFull,
  why: { reason: string; isDraftedAgain: boolean },
): Promise<void> {
  const { id, partnerId, number, buyer } = invoice;
  if (number === null) return;
  const { email: present } = await profileOf(tx, invoice);
  const content = {
    partnerId,
    kind: 'invoice_voided' as const,
    data: { number, ...why, href: '/dashboard/billing' },
    dedupeKey: voidMailKey(id),
  };
  if (buyer?.email) await mail.queueMail(tx, { ...content, to: buyer.email });
  else await mail.queueMailToAdmins(tx, content);
  if (present) await mail.queueMail(tx, { ...content, to: present });
  for (const { to, userId } of await listReaders(tx, id)) await mail.queueMail(tx, { ...content, to, userId: userId ?? undefined });
}

/** Counts a mail whose reader lost access as not sent. That an invoice is void is mailed at once, without what replaces it: that has a mail of its own. */
export async function mailLost(deps: Pick<BillingDeps, 'db' | 'mail'>, lost: Parameters<typeof unmarkMailed>[1]): Promise<void> {
  await deps.db.asSystem('billing', async (tx) => {
    if (lost.key !== voidMailKey(lost.invoiceId)) {
      await unmarkMailed(tx, lost);
      return;
    }
    const invoice = await lockInvoice(tx, lost.invoiceId);
    if (invoice?.status === 'void') await mailVoid(deps, tx, invoice, { reason: invoice.voidReason ?? '', isDraftedAgain: false });
  });
}

/** Returns why an invoice whose unused rest an issued one credits cannot be void, with what to do; null without such a credit. */
function refusedVoid({ currency, status }: InvoiceFull, credits: readonly LaterLine[]): string | null {
  const [first] = credits;
  if (!first) return null;
  const amount = formatMoney(-sumOf(credits), currency);
  const credit = status === 'draft' ? 'issue this one and credit the rest of it' : 'credit the rest of this one';
  const way = first.mayBeVoid ? 'Void it and draft it again first' : 'Credit that invoice in full first';
  return `Invoice ${first.invoiceNumber} credits ${amount} of this one. ${way}, or ${credit}.`;
}

/** Drafts a void invoice again: its lines, and with them its orders, for its period. */
async function draftAgain(tx: SystemTx, { id, partnerId, currency, periodStart, periodEnd }: InvoiceFull, now: Date): Promise<void> {
  const recurring = (await listLines(tx, id)).map((line) => ({ ...line, id: null }));
  const period = periodStart && periodEnd ? { start: periodStart, end: periodEnd } : null;
  await storeDraft(tx, { partnerId, currency, period, recurring, now }, { waiting: [], tax: await findTax(tx, partnerId) });
}

/** Locks the invoice. Refuses `not_found`, and `invalid_state` where its status forbids the action. */
export async function takeInvoice(tx: SystemTx, id: string, action: InvoiceAction): Promise<InvoiceFull> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) return refuse('not_found');
  const detail = refusedAction(action, invoice);
  return detail === null ? invoice : refuse('invalid_state', { detail });
}

export async function profileOf(tx: SystemTx, { partnerId }: InvoiceFull): Promise<Profile> {
  const profile = await readProfile(tx, partnerId);
  if (!profile) throw new Error(`Agency ${partnerId} is missing.`);
  return profile;
}

async function changed(
  tx: SystemTx,
  caller: RequestContext,
  { id, partnerId }: InvoiceFull,
  action: 'invoice.issued' | 'invoice.paid' | 'invoice.voided',
  changes: Record<string, [unknown, unknown]>,
) {
  const after = await findInvoice(tx, id, { drafts: true });
  if (!after) return refuse('not_found');
  const target = { type: 'invoice', id, label: after.number };
  await recordAudit(tx, { partnerId, actor: caller.actor, action, target, changes, origin: originOf(caller) });
  return describeInvoice(tx, after, caller.now);
}
