import type { ClientImportField, TableDelimiter, TableEncoding } from '@partner-portal/contract/vocabulary.ts';
import { FIELD_LABELS, looksLikeData, recogniseColumns } from '@partner-portal/core/client-import/columns.ts';
import { decodeTable } from '@partner-portal/core/client-import/decode-table.ts';
import { readTable, type TableProblem } from '@partner-portal/core/client-import/read-table.ts';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import type { ImportRow } from './queries.ts';

/** A file, or a pasted table, before it is sent. */
export type Source = { name: string; bytes: Uint8Array<ArrayBuffer> };
/** How to read a source; missing members are detected. */
export type Reading = { delimiter?: TableDelimiter; encoding?: TableEncoding; hasHeader?: boolean };
export type Preview = {
  encoding: TableEncoding;
  delimiter: TableDelimiter;
  /** Whether the first row holds headings; the cells of `header` are blank otherwise. */
  hasHeader: boolean;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  fields: readonly (ClientImportField | null)[];
  /** Number of rows of the whole file; null if these settings cannot read it to its end. */
  rowCount: number | null;
};
export type SourceProblem = TableProblem | 'workbook' | 'encoding';

const PREVIEW_ROWS = 5;

export const SOURCE_PROBLEMS: Readonly<Record<SourceProblem, string>> = {
  workbook: 'This is a workbook. Save it as CSV (UTF-8) in your spreadsheet program, then choose that file.',
  encoding: 'The file does not have this encoding. Choose another one.',
  empty: 'We found no table in it.',
  too_many_rows: 'It has too many rows. Split it.',
  too_many_columns: 'It has too many columns. Check the separator.',
  record_too_long: 'A row is too long. Look for a quote that is never closed.',
};

export function previewOf({ bytes }: Source, { delimiter, encoding, hasHeader }: Reading): Preview | { problem: SourceProblem } {
  const decoded = decodeTable(bytes, encoding);
  if ('problem' in decoded) return decoded;
  const headed = readTable(decoded.text, { delimiter, rowsMax: PREVIEW_ROWS });
  if (headed.problem !== null) return { problem: headed.problem };
  const isHeaded = hasHeader ?? !looksLikeData(headed.header.cells);
  const table = isHeaded ? headed : readTable(decoded.text, { delimiter, rowsMax: PREVIEW_ROWS, hasHeader: false });
  if (table.problem !== null) return { problem: table.problem };
  const whole = readTable(decoded.text, { delimiter: table.delimiter, hasHeader: isHeaded });
  return {
    encoding: decoded.encoding,
    delimiter: table.delimiter,
    hasHeader: isHeaded,
    rowCount: whole.problem === null ? whole.rows.length : null,
    header: table.header.cells,
    rows: table.rows.map(({ cells }) => cells),
    fields: recogniseColumns(table.header.cells),
  };
}

/** The form of the import route. */
export function formOf(
  source: Source,
  preview: Pick<Preview, 'delimiter' | 'encoding' | 'hasHeader'>,
  given: { fields: readonly (ClientImportField | null)[]; mode: 'all' | 'valid'; dryRun: boolean },
): FormData {
  const mapping = Object.fromEntries(given.fields.flatMap((field, at) => (field === null ? [] : [[at + 1, field]])));
  const form = new FormData();
  form.set('dryRun', String(given.dryRun));
  form.set('mode', given.mode);
  form.set('hasHeader', String(preview.hasHeader));
  form.set('delimiter', preview.delimiter);
  form.set('encoding', preview.encoding);
  form.set('mapping', JSON.stringify(mapping));
  form.set('file', new Blob([source.bytes], { type: 'text/csv' }), source.name);
  return form;
}

/**
 * The refused rows as they were sent, with the reason behind them, to be corrected and sent again. Where the file has no headings, those of the
 * template stand above them, so that the corrected file is recognised. A file with semicolons comes from a spreadsheet that shows no others in
 * columns.
 */
export function refusedCsv(
  source: Source,
  { delimiter, encoding, hasHeader, fields }: Required<Reading> & Pick<Preview, 'fields'>,
  rows: readonly ImportRow[],
): string {
  const decoded = decodeTable(source.bytes, encoding);
  const table = 'text' in decoded ? readTable(decoded.text, { delimiter, hasHeader }) : null;
  if (table?.problem !== null) return '';
  const reasons = new Map(rows.flatMap(({ row, outcome, reason }) => (outcome === 'refused' ? [[row, reason ?? '']] : [])));
  const width = table.header.cells.length;
  const form = { separator: delimiter === 'semicolon' ? ';' : ',', decimal: '.' } as const;
  const refused = table.rows.flatMap(({ line, cells }) => {
    const reason = reasons.get(line);
    if (reason === undefined) return [];
    return [csvLine([...Array.from({ length: Math.max(width, cells.length) }, (_, at) => cells[at] ?? ''), reason], form)];
  });
  // Spreadsheets recognise UTF-8 by the byte order mark.
  const headings = table.header.cells.map((heading, at) => (hasHeader ? heading : labelOf(fields[at] ?? null)));
  return `\uFEFF${csvLine([...headings, REASON], form)}${refused.join('')}`;
}

function labelOf(field: ClientImportField | null): string {
  return field === null ? '' : FIELD_LABELS[field];
}

const REASON = 'Reason';
