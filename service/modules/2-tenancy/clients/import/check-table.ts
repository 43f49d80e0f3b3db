import { fieldErrors } from '@partner-portal/contract/field-errors.ts';
import { clientRoutes } from '@partner-portal/contract/routes/clients.ts';
import { type ClientImportField, PROFILE_KEYS, type TableDelimiter, type TableEncoding } from '@partner-portal/contract/vocabulary.ts';
import { recogniseColumns } from '@partner-portal/core/client-import/columns.ts';
import { decodeTable } from '@partner-portal/core/client-import/decode-table.ts';
import { isScientific, isSpreadsheetError, readCell } from '@partner-portal/core/client-import/read-cell.ts';
import { readTable, SEPARATORS, type TableProblem, type TableRecord } from '@partner-portal/core/client-import/read-table.ts';
import { businessNameProblem } from '@partner-portal/core/people/name.ts';
import { storableText } from '@partner-portal/core/text/storable.ts';
import { isId } from '#platform/ids.ts';
import type { ClientChange } from '../store.ts';

export type TableFile = {
  bytes: Uint8Array;
  mapping: Readonly<Record<string, ClientImportField>> | null;
  hasHeader: boolean;
  delimiter: TableDelimiter | null;
  encoding: TableEncoding | null;
};
export type Refusal = { field: ClientImportField | null; column: number | null; cell: string | null; code: string; reason: string };
/** `id`: of a client that may be one of the agency's. */
export type CheckedRow = { line: number; name: string; id: string | null } &
  /** `warning`: a cell that was left out. */
  ({ client: ClientChange & { name: string }; refusal: null; warning: Refusal | null } | { client: null; refusal: Refusal });
export type CheckedTable = {
  encoding: TableEncoding;
  delimiter: TableDelimiter;
  columns: { header: string; field: ClientImportField | null }[];
  rows: CheckedRow[];
};
export type FileProblem = TableProblem | 'workbook' | 'encoding' | 'unclosed_quote' | 'name_missing' | 'unknown_column' | 'no_rows';

const CELL_SHOWN = 200;
const NAME_SHOWN = 120;
const HEADER_SHOWN = 200;
const PROFILE: ReadonlySet<string> = new Set(PROFILE_KEYS);

/** Reads a file and checks every row as the form would. Runs in a thread: a file of strangers may take long. */
export function checkTable({ bytes, mapping, hasHeader, delimiter, encoding }: TableFile): CheckedTable | { problem: FileProblem } {
  const decoded = decodeTable(bytes, encoding ?? undefined);
  if ('problem' in decoded) return { problem: decoded.problem };
  const table = readTable(decoded.text, { delimiter: delimiter ?? undefined, hasHeader });
  if (table.problem !== null) return { problem: table.problem };
  if (table.header.isOpen) return { problem: 'unclosed_quote' };
  const fields = mapping === null ? recogniseColumns(table.header.cells) : fieldsOf(mapping, table.header.cells.length);
  if (fields === null) return { problem: 'unknown_column' };
  if (!fields.includes('name')) return { problem: 'name_missing' };
  if (table.rows.length === 0) return { problem: 'no_rows' };
  return {
    encoding: decoded.encoding,
    delimiter: table.delimiter,
    columns: table.header.cells.map((header, at) => ({ header: storableText(header).slice(0, HEADER_SHOWN), field: fields[at] ?? null })),
    rows: table.rows.map((record) =>
      checkRow(record, fields, { measure: hasHeader ? 'the header' : 'the first row', separator: SEPARATORS[table.delimiter] }),
    ),
  };
}

function fieldsOf(mapping: Readonly<Record<string, ClientImportField>>, columns: number): (ClientImportField | null)[] | null {
  if (Object.keys(mapping).some((column) => Number(column) > columns)) return null;
  return Array.from({ length: columns }, (_, at) => mapping[String(at + 1)] ?? null);
}

function checkRow(
  record: TableRecord,
  fields: readonly (ClientImportField | null)[],
  { measure, separator }: { measure: string; separator: string },
): CheckedRow {
  const { line, cells } = record;
  const nameCell = cells[fields.indexOf('name')] ?? '';
  const name = storableText(nameCell).trim().slice(0, NAME_SHOWN);
  const idCell = (cells[fields.indexOf('id')] ?? '').trim().toLowerCase();
  const id = isId(idCell) ? idCell : null;
  const remark = (field: ClientImportField | null, code: string, reason: string): Refusal => {
    const at = field === null ? -1 : fields.indexOf(field);
    const cell = at === -1 ? null : storableText(cells[at] ?? '').slice(0, CELL_SHOWN);
    return { field, column: at === -1 ? null : at + 1, cell, code, reason };
  };
  const refuse = (...given: Parameters<typeof remark>): CheckedRow => ({ line, name, id, client: null, refusal: remark(...given) });
  if (record.isOpen)
    return refuse(
      null,
      'unclosed_quote',
      'A quotation mark that begins a cell of this row is not closed where the cell ends, so what follows is read as part of the cell.',
    );
  // Spreadsheets leave out empty cells at the end of a row.
  if (cells.slice(fields.length).some((cell) => cell.trim() !== ''))
    return refuse(null, 'wrong_columns', `This row has ${count(cells.length)}, and ${measure} has ${fields.length}.`);
  // A spreadsheet set to another separator shows each line as one cell, and saves it with quotes around.
  if (fields.length > 2 && cells.length === 1 && nameCell.split(separator).length >= fields.length)
    return refuse(
      null,
      'wrong_columns',
      `This row is one cell in quotation marks, and ${measure} has ${fields.length}. Remove the quotation marks around the row.`,
    );
  const client: Record<string, unknown> = {};
  const profile: Record<string, unknown> = {};
  let warning: Refusal | null = null;
  for (const [at, field] of fields.entries()) {
    const cell = cells[at] ?? '';
    if (field === null || field === 'id') continue;
    if (storableText(cell) !== cell) return refuse(field, 'not_storable', 'This text contains a character that cannot be stored.');
    const changed = changedBySpreadsheet(field, cell);
    if (changed !== null) {
      const [what, advice] = changed;
      // A row is matched by these: without one it may be another client.
      if (field === 'name' || field === 'externalRef') return refuse(field, 'changed_by_spreadsheet', `${what}. ${advice}`);
      warning ??= remark(field, 'changed_by_spreadsheet', `${what}, so it is left out. ${advice}`);
      continue;
    }
    const value = readCell(field, cell, separator);
    if (value !== undefined) (PROFILE.has(field) ? profile : client)[field] = value;
  }
  if (Object.keys(profile).length > 0) client['businessProfile'] = profile;
  const parsed = clientRoutes.createClient.body.safeParse(client);
  if (!parsed.success) {
    const [error] = fieldErrors(parsed.error);
    const field = error?.field.replace('businessProfile.', '') as ClientImportField | undefined; // the members of the body are the fields
    return refuse(field ?? null, error?.code ?? 'invalid', error?.message ?? 'This was not accepted.');
  }
  const { inviteEmail: _never, ...accepted } = parsed.data;
  const problem = businessNameProblem(accepted.name);
  return problem ? refuse('name', problem.code, problem.message) : { line, name, id, client: accepted, refusal: null, warning };
}

/** What a spreadsheet did to a cell, and what to do; null for a cell as it was typed. A reference may look like `12E34`: Excel writes the sign. */
function changedBySpreadsheet(field: ClientImportField, cell: string): readonly [what: string, advice: string] | null {
  if (isSpreadsheetError(cell)) return ['This cell holds an error of the spreadsheet', 'Type its value.'];
  const isNumber = field === 'phone' || (field === 'externalRef' && /e[+-]/i.test(cell));
  return isNumber && isScientific(cell) ? ['Excel changed this number', 'Format the column as text and type it again.'] : null;
}

function count(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}
