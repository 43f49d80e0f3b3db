export type CsvValue = string | number | boolean | Date | null | undefined;

/**
 * Where a spreadsheet may start a cell and find a formula in it: at the start of a text, and behind a semicolon, tab or line break, which
 * separate cells in a program set to another separator, quoted or not. Blanks, quotes and invisible characters in between are skipped, as
 * those programs do. Full-width signs count in East Asian settings.
 */
const FORMULA_START = /(^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=(?:["\p{Zs}\p{Cf}]|(?![\t\n\v\f\r\u0085])\p{Cc})*[=+\-@＝＋－＠])/gu;

/**
 * Returns one line of CSV (RFC 4180, CRLF). An apostrophe is put before everything that a spreadsheet could run as a formula, because
 * exports contain input from strangers.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const safe = value.replace(FORMULA_START, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
