import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { refuse } from '#platform/refuse.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import { overdueSince } from '@partner-portal/core/billing/invoice.ts';
import type { BillingDeps } from '../deps.ts';
import { findInvoice, type InvoiceFilters, type InvoiceFull, listCreditNotes, listInvoices, listLines, readProfile } from './store.ts';
import { toDetail, toRecord } from './to-record.ts';

type Query = InvoiceFilters & { partnerId?: string | undefined };
/** Only staff see invoices that were never issued. */
export const seesDrafts = (actor: Actor): boolean => actor.role === 'ADMIN';

/** Returns one page of invoices in scope, newest first. */
export function readInvoices(deps: BillingDeps, actor: Actor, now: Date, query: Query & { limit: number; cursor?: string | undefined }) {
  const scope = { drafts: seesDrafts(actor), overdueAt: overdueSince(now) };
  return readScopedPage(deps, actor, query, {
    list: 'invoices',
    rows: (tx, filters, before, limit) => listInvoices(tx, filters, scope, before, limit),
    items: async (_tx, rows) => rows.map((row) => toRecord(row, now)),
  });
}

export async function readInvoice({ db }: BillingDeps, actor: Actor, now: Date, id: string) {
  return inScope(db, actor, undefined, async (tx) => {
    const row = await findInvoice(tx, id, { drafts: seesDrafts(actor) });
    return row ? describeInvoice(tx, row, now) : refuse('not_found');
  });
}

/** Returns the detail of an invoice in this transaction. */
export async function describeInvoice(tx: Tx, row: InvoiceFull, now: Date) {
  const profile = await readProfile(tx, row.partnerId);
  if (!profile) throw new Error(`The agency of invoice ${row.id} is missing.`);
  return toDetail(row, { lines: await listLines(tx, row.id), creditNotes: await listCreditNotes(tx, row.id), profile }, now);
}

const COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Invoice', (row) => row.id],
  ['Number', (row) => row.number],
  ['Kind', (row) => row.kind],
  ['Status', (row) => row.status],
  ['Agency', (row) => row.partnerName],
  ['Currency', (row) => row.currency],
  ['Subtotal (minor units)', (row) => row.subtotalMinor],
  ['Tax (minor units)', (row) => row.taxMinor],
  ['Total (minor units)', (row) => row.totalMinor],
  ['Owed (minor units)', (row) => row.owedMinor],
  ['Period from', (row) => row.periodStart],
  ['Period to', (row) => row.periodEnd],
  ['Issued', (row) => row.issuedAt],
  ['Due', (row) => row.dueAt],
  ['Overdue days', (row) => row.overdueDays],
  ['Paid', (row) => row.paidAt],
  ['Reference', (row) => row.paidReference],
  ['Created', (row) => row.createdAt],
];

export function exportInvoices(deps: BillingDeps, actor: Actor, now: Date, filters: Query) {
  return csvOfList({ name: 'invoices', now }, COLUMNS, (cursor) => readInvoices(deps, actor, now, { ...filters, limit: CSV_PAGE, cursor }));
}
