import { csvLine, csvLineParts, type CsvValue } from '@partner-portal/core/csv/csv.ts';
import type { ExportRow } from '../kinds/kind.ts';

export type Column = { name: string; isJson: boolean };
export type Format = {
  extension: 'jsonl' | 'csv';
  /** Text before the rows. */
  head(columns: readonly Column[]): string;
  /** A row in parts; a long one has several, so that no part takes long. */
  row(columns: readonly Column[], row: ExportRow): Iterable<string>;
};

/** A row with more text than this is written in parts. */
const LONG = 65_536;

export const JSON_LINES: Format = {
  extension: 'jsonl',
  head: () => '',
  row: (columns, row) => [
    `{${columns.map(({ name, isJson }) => `"${name}":${isJson ? textOf(row, name) : JSON.stringify(row[name] ?? null)}`).join(',')}}\n`,
  ],
};

export const CSV: Format = {
  extension: 'csv',
  // Spreadsheets take a file without the mark for one in their country's old character set.
  head: (columns) => `\uFEFF${csvLine(columns.map(({ name }) => name))}`,
  row(columns, row) {
    const cells = columns.map(({ name, isJson }) => (isJson && (row[name] ?? null) === null ? null : cellOf(row[name])));
    const length = cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
    return length > LONG ? csvLineParts(cells) : [csvLine(cells)];
  },
};

function textOf(row: ExportRow, name: string): string {
  const text = row[name];
  return typeof text === 'string' ? text : 'null';
}

function cellOf(value: unknown): CsvValue {
  if (value === null || value === undefined || value instanceof Date) return value ?? null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
