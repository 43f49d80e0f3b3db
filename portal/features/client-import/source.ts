import type { ClientImportField, TableDelimiter, TableEncoding } from '@partner-portal/contract/vocabulary.ts';
import { recogniseColumns } from '@partner-portal/core/client-import/columns.ts';
import { decodeTable } from '@partner-portal/core/client-import/decode-table.ts';
import { readTable, type TableProblem } from '@partner-portal/core/client-import/read-table.ts';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import type { ImportRow } from '../../queries/client-imports.ts';

/** A file, or a pasted table, before it is sent. */
export type Source = { name: string; bytes: Uint8Array<ArrayBuffer> };
/** How it is read; left out: as it looks. */
export type Reading = { delimiter?: TableDelimiter; encoding?: TableEncoding };
export type Preview = {
  encoding: TableEncoding;
  delimiter: TableDelimiter;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  fields: readonly (ClientImportField | null)[];
};
export type SourceProblem = TableProblem | 'workbook' | 'encoding';

const PREVIEW_ROWS = 5;

export const SOURCE_PROBLEMS: Readonly<Record<SourceProblem, string>> = {
  workbook: 'This is a workbook. Save it as CSV (UTF-8) in your spreadsheet program, then choose that file.',
  encoding: 'The file does not have this encoding. Choose another one.',
  empty: 'There is no table in it.',
  too_many_rows: 'It has too many rows. Split it.',
  too_many_columns: 'It has too many columns. Check the separator.',
  record_too_long: 'A row is too long. Look for a quote that is never closed.',
};

export function previewOf({ bytes }: Source, { delimiter, encoding }: Reading): Preview | { problem: SourceProblem } {
  const decoded = decodeTable(bytes, encoding);
  if ('problem' in decoded) return decoded;
  const table = readTable(decoded.text, { delimiter, rowsMax: PREVIEW_ROWS });
  if (table.problem !== null) return { problem: table.problem };
  return {
    encoding: decoded.encoding,
    delimiter: table.delimiter,
    header: table.header.cells,
    rows: table.rows.map(({ cells }) => cells),
    fields: recogniseColumns(table.header.cells),
  };
}

/** The form of the import route. */
export function formOf(
  source: Source,
  preview: Pick<Preview, 'delimiter' | 'encoding'>,
  given: { fields: readonly (ClientImportField | null)[]; mode: 'all' | 'valid'; dryRun: boolean },
): FormData {
  const mapping = Object.fromEntries(given.fields.flatMap((field, at) => (field === null ? [] : [[at + 1, field]])));
  const form = new FormData();
  form.set('dryRun', String(given.dryRun));
  form.set('mode', given.mode);
  form.set('delimiter', preview.delimiter);
  form.set('encoding', preview.encoding);
  form.set('mapping', JSON.stringify(mapping));
  form.set('file', new Blob([source.bytes], { type: 'text/csv' }), source.name);
  return form;
}

/** The refused rows as they were sent, with the reason behind them, to be corrected and sent again. */
export function refusedCsv(source: Source, { delimiter, encoding }: Required<Reading>, rows: readonly ImportRow[]): string {
  const decoded = decodeTable(source.bytes, encoding);
  const table = 'text' in decoded ? readTable(decoded.text, { delimiter }) : null;
  if (table?.problem !== null) return '';
  const reasons = new Map(rows.flatMap(({ row, outcome, reason }) => (outcome === 'refused' ? [[row, reason ?? '']] : [])));
  const width = table.header.cells.length;
  const refused = table.rows.flatMap(({ line, cells }) => {
    const reason = reasons.get(line);
    if (reason === undefined) return [];
    return [csvLine([...Array.from({ length: Math.max(width, cells.length) }, (_, at) => cells[at] ?? ''), reason])];
  });
  // Spreadsheets recognise UTF-8 by the byte order mark.
  return `\uFEFF${csvLine([...table.header.cells, REASON])}${refused.join('')}`;
}

const REASON = 'Reason';
