import { LIMITS, TABLE_DELIMITERS, type TableDelimiter } from '@partner-portal/contract/vocabulary.ts';
import Papa from 'papaparse';

export const SEPARATORS: Readonly<Record<TableDelimiter, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

/** `line`: of the file, on which the record starts, counted from 1. `isOpen`: a quote that begins a cell of it is not closed where the cell ends. */
export type TableRecord = { line: number; cells: readonly string[]; isOpen: boolean };
export type TableProblem = 'empty' | 'too_many_rows' | 'too_many_columns' | 'record_too_long';

export type Table = {
  delimiter: TableDelimiter;
  /** Without a header row: as many blank cells as the first row has, on line 0. */
  header: TableRecord;
  rows: readonly TableRecord[];
  problem: null;
};

/** More than all fields of a client have together. */
const RECORD_LENGTH_MAX = 65_536;
const LINE_END = /\r\n|\n|\r/g;
const BARE_LINE_FEED = /(?<!\r)\n/;

/** Excel writes and reads `sep=;`, quoted or not, as a first line that names the separator and is no row. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?[ ,;\t|]*(?:\r\n|\n|\r|$)/i;

/**
 * Reads a table record by record: quoted cells with separators, line ends and doubled quotes in them; blank lines are skipped. Stops at the first
 * thing that is too much. `rowsMax` ends reading early, for a preview. Without a header the first record is a row.
 */
export function readTable(
  whole: string,
  {
    delimiter = delimiterOf(whole),
    rowsMax,
    hasHeader = true,
  }: { delimiter?: TableDelimiter | undefined; rowsMax?: number; hasHeader?: boolean | undefined } = {},
): Table | { problem: TableProblem } {
  const rest = whole.replace(SEPARATOR_LINE, '');
  // The parser takes one line end for the whole text; a list put together from two programs has both.
  const text = BARE_LINE_FEED.test(rest) ? rest.replaceAll('\r\n', '\n') : rest;
  const separator = SEPARATORS[delimiter];
  const records: TableRecord[] = [];
  const headers = hasHeader ? 1 : 0;
  let problem: TableProblem | null = null;
  let line = rest.length === whole.length ? 1 : 2;
  let start = 0;
  Papa.parse<string[]>(text, {
    delimiter: separator,
    step: ({ data: cells, errors, meta }, parser) => {
      const has = (code: string): boolean => errors.some((error) => error.code === code);
      const isOpen = has('MissingQuotes') || (has('InvalidQuotes') && swallows(cells, separator));
      const record: TableRecord = { line, cells, isOpen };
      const length = meta.cursor - start;
      line += text.slice(start, meta.cursor).match(LINE_END)?.length ?? 0;
      start = meta.cursor;
      if (length > RECORD_LENGTH_MAX) problem = 'record_too_long';
      else if (cells.length > LIMITS.importColumnsMax) problem = 'too_many_columns';
      else if (cells.some((cell) => cell.trim() !== '')) records.push(record);
      if (problem === null && rowsMax === undefined && records.length > LIMITS.importRowsMax + headers) problem = 'too_many_rows';
      if (problem !== null || (rowsMax !== undefined && records.length >= rowsMax + headers)) parser.abort();
    },
  });
  if (problem !== null) return { problem };
  const [first, ...others] = records;
  if (!first) return { problem: 'empty' };
  if (hasHeader) return { delimiter, header: first, rows: others, problem: null };
  return { delimiter, header: { line: 0, cells: first.cells.map(() => ''), isOpen: false }, rows: records, problem: null };
}

/**
 * Whether a cell such as `"Foo" Ltd` was read on to a quote of another cell or row, with all that stands in between. Quotes that are not doubled
 * inside a quoted cell are harmless as long as the cell holds no separator and no line end.
 */
function swallows(cells: readonly string[], separator: string): boolean {
  return cells.some((cell) => cell.includes('"') && (cell.includes(separator) || /[\n\r]/.test(cell)));
}

/**
 * The separator that a first line `sep=;` names, else the one that the first line with text holds most often, outside of quotes; a comma when
 * it holds none.
 */
export function delimiterOf(text: string): TableDelimiter {
  const named = SEPARATOR_LINE.exec(text)?.[1];
  const known = TABLE_DELIMITERS.find((delimiter) => SEPARATORS[delimiter] === named);
  if (known) return known;
  const found = new Map<string, number>();
  let isQuoted = false;
  let hasText = false;
  for (const sign of text.replace(SEPARATOR_LINE, '').slice(0, RECORD_LENGTH_MAX)) {
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
