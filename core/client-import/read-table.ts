import { LIMITS, TABLE_DELIMITERS, type TableDelimiter } from '@partner-portal/contract/vocabulary.ts';
import Papa from 'papaparse';

export const SEPARATORS: Readonly<Record<TableDelimiter, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

/** `line`: of the file, on which the record starts, counted from 1. `isOpen`: a quote of it is never closed. */
export type TableRecord = { line: number; cells: readonly string[]; isOpen: boolean };
export type TableProblem = 'empty' | 'too_many_rows' | 'too_many_columns' | 'record_too_long';

export type Table = {
  delimiter: TableDelimiter;
  header: TableRecord;
  rows: readonly TableRecord[];
  problem: null;
};

/** More than all fields of a client have together. */
const RECORD_LENGTH_MAX = 65_536;
const LINE_END = /\r\n|\n|\r/g;

/**
 * Reads a table record by record: quoted cells with separators, line ends and doubled quotes in them; blank lines are skipped. Stops at the first
 * thing that is too much. `rowsMax` ends reading early, for a preview.
 */
export function readTable(
  text: string,
  { delimiter = delimiterOf(text), rowsMax }: { delimiter?: TableDelimiter | undefined; rowsMax?: number } = {},
): Table | { problem: TableProblem } {
  const records: TableRecord[] = [];
  let problem: TableProblem | null = null;
  let line = 1;
  let start = 0;
  Papa.parse<string[]>(text, {
    delimiter: SEPARATORS[delimiter],
    step: ({ data: cells, errors, meta }, parser) => {
      const record: TableRecord = { line, cells, isOpen: errors.some(({ code }) => code === 'MissingQuotes') };
      const length = meta.cursor - start;
      line += text.slice(start, meta.cursor).match(LINE_END)?.length ?? 0;
      start = meta.cursor;
      if (length > RECORD_LENGTH_MAX) problem = 'record_too_long';
      else if (cells.length > LIMITS.importColumnsMax) problem = 'too_many_columns';
      else if (cells.some((cell) => cell.trim() !== '')) records.push(record);
      if (problem === null && rowsMax === undefined && records.length > LIMITS.importRowsMax + 1) problem = 'too_many_rows';
      if (problem !== null || (rowsMax !== undefined && records.length > rowsMax)) parser.abort();
    },
  });
  if (problem !== null) return { problem };
  const [header, ...rows] = records;
  return header ? { delimiter, header, rows, problem: null } : { problem: 'empty' };
}

/** The separator that the first line with text holds most often, outside of quotes; a comma when it holds none. */
export function delimiterOf(text: string): TableDelimiter {
  const found = new Map<string, number>();
  let isQuoted = false;
  let hasText = false;
  for (const sign of text.slice(0, RECORD_LENGTH_MAX)) {
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === '\n' || sign === '\r') {
      if (hasText) break;
      found.clear();
      continue;
    }
    hasText ||= sign.trim() !== '';
    found.set(sign, (found.get(sign) ?? 0) + 1);
  }
  const count = (delimiter: TableDelimiter): number => found.get(SEPARATORS[delimiter]) ?? 0;
  return TABLE_DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best), 'comma');
}
