import { FIELD_LABELS } from '@partner-portal/core/client-import/columns.ts';
import { CLIENT_IMPORT_FIELDS, type ClientImportField } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { type CsvColumns, onePage } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { ImportDeps } from './deps.ts';
import { findImport, listImports, listRows, type RowFilters } from './store.ts';
import { toImportRecord, toRowRecord } from './to-import-record.ts';

export async function readImports(deps: ImportDeps, actor: Actor, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  const filters = { route: 'client-imports', scope: actor.partnerId };
  const [before = null] = deps.cursors.open(filters, cursor) ?? [];
  const rows = await deps.db.readAsTenant(actor, (tx) => listImports(tx, actor.partnerId, { before, limit }));
  const page = toPage(
    rows,
    limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(filters, position),
  );
  return { ...page, data: page.data.map(toImportRecord) };
}

export const IMPORT_COLUMNS: CsvColumns<ReturnType<typeof toImportRecord>> = [
  ['Import', (made) => made.id],
  ['File', (made) => made.filename],
  ['Mode', (made) => made.mode],
  ['Created', (made) => made.counts.created],
  ['Updated', (made) => made.counts.updated],
  ['Unchanged', (made) => made.counts.unchanged],
  ['Refused', (made) => made.counts.refused],
  ['By', (made) => made.createdBy?.fullName],
  ['Mail', (made) => made.createdBy?.email],
  ['Imported', (made) => made.createdAt],
  ['Can be undone until', (made) => made.undoUntil],
  ['Undone', (made) => made.undone?.at],
  ['Removed by the undo', (made) => made.undone?.removed],
  ['Restored by the undo', (made) => made.undone?.restored],
  ['Kept by the undo', (made) => made.undone?.kept],
];

export async function readImport(deps: ImportDeps, actor: Actor, id: string) {
  const row = await deps.db.readAsTenant(actor, (tx) => findImport(tx, actor.partnerId, id));
  return row ? toImportRecord(row) : refuse('not_found');
}

export async function readImportRows(
  deps: ImportDeps,
  actor: Actor,
  id: string,
  { limit, cursor, ...query }: RowFilters & { limit: number; cursor?: string | undefined },
) {
  const filters = { ...query, route: 'client-import-rows', scope: id };
  const [after = '0'] = deps.cursors.open(filters, cursor) ?? [];
  const rows = await deps.db.asTenant(actor, async (tx) => {
    if (!(await findImport(tx, actor.partnerId, id))) return refuse('not_found');
    return listRows(tx, id, query, { after: Number(after), limit });
  });
  const page = toPage(
    rows,
    limit,
    (row) => [String(row.line)],
    (position) => deps.cursors.seal(filters, position),
  );
  return { ...page, data: page.data.map(toRowRecord) };
}

export const ROW_COLUMNS: CsvColumns<ReturnType<typeof toRowRecord>> = [
  ['Row', (row) => row.row],
  ['Outcome', (row) => row.outcome],
  ['Client', (row) => row.clientId],
  ['Name', (row) => row.name],
  ['Field', (row) => row.field && FIELD_LABELS[row.field]],
  ['Cell', (row) => row.cell],
  ['Code', (row) => row.code],
  ['Reason', (row) => row.reason],
  ['Undo', (row) => row.undo],
  ['Why kept', (row) => row.undoReason],
];

const EXAMPLES: readonly Readonly<Partial<Record<ClientImportField, string>>>[] = [
  {
    name: 'Birch Lane Dental',
    contactName: 'Ada Moreno',
    contactEmail: 'ada@birchlane.example',
    phone: '312 555 0100',
    website: 'https://birchlane.example',
    timezone: 'America/Chicago',
    locale: 'English',
    industry: 'Dentist',
    externalRef: 'crm-182',
    notes: 'Prefers mail',
    hours: 'Mon-Fri 9:00-17:00',
    bookingUrl: 'https://birchlane.example/book',
    reviewUrl: 'https://birchlane.example/review',
    address: '12 Birch Lane, Chicago',
    faqText: 'Is there parking? Yes, behind the house.',
  },
  { name: 'Harbor Physio', contactEmail: 'desk@harborphysio.example', timezone: 'Europe/Berlin', locale: 'German', externalRef: 'crm-183' },
];

/** A file to fill in. */
export function templateFile(): CsvAnswer {
  // New clients have no ID yet.
  const fields = CLIENT_IMPORT_FIELDS.filter((field) => field !== 'id');
  const rows = EXAMPLES.map((example) => fields.map((field) => example[field] ?? ''));
  return {
    kind: 'csv',
    filename: 'clients-template.csv',
    columns: fields.map((field) => FIELD_LABELS[field]),
    pages: onePage(rows),
  };
}
