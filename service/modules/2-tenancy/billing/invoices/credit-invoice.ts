import { createHash } from 'node:crypto';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { creditTax } from '@partner-portal/core/billing/invoice.ts';
import { formatMoney, lineAmount } from '@partner-portal/core/billing/money.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { BillingDeps } from '../deps.ts';
import { freeze, profileOf, takeInvoice } from './change-invoice.ts';
import { describeInvoice } from './read-invoices.ts';
import { findInvoice, type InvoiceFull, listCreditNotes } from './store.ts';
import { findByKey, insertCreditNote, writePaid } from './store-change.ts';

export type Credit = { lines: readonly { description: string; quantity: number; unitPriceMinor: number }[]; reason: string };

const HOUR_MS = 3_600_000;

/**
 * Issues a credit note for an issued or paid invoice, never for more than is left of it. One that covers the rest of an unpaid invoice settles
 * it. Repeating a user's Idempotency-Key within 24 hours returns the first credit note.
 */
export async function creditInvoice(deps: BillingDeps, caller: RequestContext, id: string, credit: Credit) {
  const { actor, now } = caller;
  const requestKey = readKey(caller);
  return deps.db.asStaff(actor, async (tx) => {
    // The invoice stays locked, so that the same key waits for the first request.
    const invoice = await takeInvoice(tx, id, 'credit');
    const since = new Date(now.getTime() - LIMITS.idempotencyHours * HOUR_MS);
    const first = requestKey === null ? null : await findByKey(tx, id, requestKey, since);
    return describe(tx, first ?? (await issueNote(deps, tx, caller, invoice, { ...credit, requestKey })), now);
  });
}

async function issueNote(
  deps: BillingDeps,
  tx: SystemTx,
  caller: RequestContext,
  invoice: InvoiceFull,
  { lines, reason, requestKey }: Credit & { requestKey: Buffer | null },
): Promise<string> {
  const { actor, now } = caller;
  const { partnerId, currency } = invoice;
  const amount = lines.reduce((sum, line) => sum + lineAmount(line.quantity, line.unitPriceMinor), 0);
  const earlier = (await listCreditNotes(tx, invoice.id)).reduce((sum, note) => sum - note.subtotalMinor, 0);
  const left = invoice.subtotalMinor - earlier;
  if (amount > left)
    refuseField('lines', 'too_much', `These lines exceed what is left of the invoice before tax: ${formatMoney(left, currency)}.`);
  const id = newId();
  await insertCreditNote(tx, {
    id,
    partnerId,
    creditsInvoiceId: invoice.id,
    currency,
    subtotalMinor: -amount,
    reason,
    requestKey,
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
  if (amount === left && invoice.status === 'issued') await writePaid(tx, invoice.id, { at: now, reference: `Credited by ${number}` });
  await recordAudit(tx, {
    partnerId,
    actor,
    action: 'invoice.credited',
    target: { type: 'invoice', id: invoice.id, label: invoice.number },
    changes: { creditNote: [null, number], subtotalMinor: [null, -amount], reason: [null, reason] },
    origin: originOf(caller),
  });
  return id;
}

async function describe(tx: SystemTx, id: string, now: Date) {
  const row = await findInvoice(tx, id, { drafts: true });
  return row ? describeInvoice(tx, row, now) : refuse('not_found');
}

/** Hashes the key with the user, since two users may send the same key. */
function readKey(caller: RequestContext): Buffer | null {
  const key = caller.header('idempotency-key')?.trim();
  if (!key) return null;
  if (key.length > 255) refuseField('Idempotency-Key', 'too_long', 'An Idempotency-Key may be at most 255 characters long.');
  return createHash('sha256').update(`${caller.actor.userId}\n${key}`).digest();
}
