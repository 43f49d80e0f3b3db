import { creditTax } from '@partner-portal/core/billing/invoice.ts';
import { formatMoney, lineAmount } from '@partner-portal/core/billing/money.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import type { BillingDeps } from '../deps.ts';
import { settleInvoice } from '../periods/index.ts';
import { freeze, profileOf, takeInvoice } from './change-invoice.ts';
import { describeInvoice } from './read-invoices.ts';
import { findInvoice, type InvoiceFull, listCreditNotes } from './store.ts';
import { insertCreditNote, writePaid } from './store-change.ts';
import { findRestCredits, sumOf, takeBackCredits } from './take-back-credits.ts';

export type Credit = { lines: readonly { description: string; quantity: number; unitPriceMinor: number }[]; reason: string };

/**
 * Issues a credit note for an issued or paid invoice, never above the amount left of it. A credit note for the rest of an unpaid invoice settles
 * it. Repeating a user's Idempotency-Key within 24 hours returns the first credit note.
 */
export async function creditInvoice(deps: BillingDeps, caller: RequestContext, id: string, credit: Credit) {
  return deps.db.asStaff(caller.actor, async (tx) => {
    const invoice = await takeInvoice(tx, id, 'credit');
    const call = { names: ['creditInvoice'], partnerId: invoice.partnerId, body: { id, credit } };
    return once(tx, caller, call, () => issueNote(deps, tx, caller, invoice, credit));
  });
}

async function issueNote(deps: BillingDeps, tx: SystemTx, caller: RequestContext, invoice: InvoiceFull, { lines, reason }: Credit) {
  const { actor, now } = caller;
  const { partnerId, currency } = invoice;
  const amount = lines.reduce((sum, line) => sum + lineAmount(line.quantity, line.unitPriceMinor), 0);
  const earlier = (await listCreditNotes(tx, invoice.id)).reduce((sum, note) => sum - note.subtotalMinor, 0);
  const left = invoice.subtotalMinor - earlier;
  const credits = await findRestCredits(tx, invoice);
  // A credit of the unused rest takes it off this invoice as a note does, but pays nothing of it. A note for all that is left removes an open one.
  const others = amount === left ? credits.issued : [...credits.issued, ...credits.open];
  const creditable = Math.max(0, left + sumOf(others));
  if (amount > creditable) {
    const [by] = others.map(({ invoiceNumber }) => (invoiceNumber === null ? 'the next invoice' : `invoice ${invoiceNumber}`));
    refuseField(
      'lines',
      'too_much',
      `These lines exceed what is left of the invoice before tax${by ? `, less what ${by} credits of it` : ''}: ${formatMoney(creditable, currency)}.`,
    );
  }
  const id = newId();
  await insertCreditNote(tx, {
    id,
    partnerId,
    creditsInvoiceId: invoice.id,
    currency,
    subtotalMinor: -amount,
    reason,
    createdAt: now,
    lines: lines.map(({ description, quantity, unitPriceMinor }) => ({
      description,
      quantity,
      unitPriceMinor: -unitPriceMinor,
      amountMinor: -lineAmount(quantity, unitPriceMinor),
    })),
  });
  const number = await freeze(deps, tx, { id, kind: 'credit_note' }, await profileOf(tx, invoice), now, {
    rateBasisPoints: invoice.taxRateBasisPoints,
    note: invoice.taxNote,
    taxMinor: -creditTax(earlier, amount, invoice.taxRateBasisPoints),
  });
  const takenBack = amount === left ? await takeBackCredits(tx, invoice, credits.open) : {};
  if (amount === left && invoice.status === 'issued') {
    await writePaid(tx, invoice.id, { at: now, reference: `Credited by ${number}` });
    await settleInvoice(deps, tx, invoice, now);
  }
  await recordAudit(tx, {
    partnerId,
    actor,
    action: 'invoice.credited',
    target: { type: 'invoice', id: invoice.id, label: invoice.number },
    changes: { creditNote: [null, number], subtotalMinor: [null, -amount], reason: [null, reason], ...takenBack },
    origin: originOf(caller),
  });
  const issued = await findInvoice(tx, id, { drafts: true });
  return issued ? describeInvoice(tx, issued, now) : refuse('not_found');
}
