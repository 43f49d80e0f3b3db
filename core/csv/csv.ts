export type CsvValue = string | number | boolean | Date | null | undefined;

/**
 * Where a spreadsheet may start a cell and find a formula in it: at the start of a text, and behind a semicolon, tab or line break, which
 * separate cells in a program set to another separator, quoted or not. Blanks, quotes and invisible characters in between are skipped, as
 * those programs do. Full-width signs count in East Asian settings.
 */
const FORMULA_START = /(^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=(?:["\p{Zs}\p{Cf}]|(?![\t\n\v\f\r\u0085])\p{Cc})*[=+\-@＝＋－＠])/gu;

const DISARMED = new RegExp(FORMULA_START.source.replace('(?=', "'(?="), FORMULA_START.flags);

/**
 * Returns one line of CSV (RFC 4180, CRLF). An apostrophe is put before everything that a spreadsheet could run as a formula, because
 * exports contain input from strangers.
 */
export function csvLine(values: readonly CsvValue[], separator: ',' | ';' = ','): string {
  return `${values.map((value) => csvField(value, separator)).join(separator)}\r\n`;
}

/** Texts up to this length are converted at once. */
const PART_LENGTH = 65_536;

/**
 * Yields the same line in parts, each of which takes a moment only, for rows with texts of megabytes. A text is cut before a letter or digit,
 * where no formula can start and none that starts before it can end.
 */
export function* csvLineParts(values: readonly CsvValue[]): Generator<string> {
  let part = '';
  for (const [n, value] of values.entries()) {
    if (n > 0) part += ',';
    if (typeof value !== 'string' || value.length <= PART_LENGTH) {
      part += csvField(value);
      continue;
    }
    // A long text may be quoted without need.
    yield `${part}"`;
    for (const piece of piecesOf(value)) yield disarm(piece).replaceAll('"', '""');
    part = '"';
  }
  yield `${part}\r\n`;
}

function* piecesOf(text: string): Generator<string> {
  const cut = /[a-z\d]/gi;
  for (let from = 0; from < text.length;) {
    cut.lastIndex = from + PART_LENGTH;
    const found = cut.lastIndex < text.length ? cut.exec(text) : null;
    const to = found ? found.index : text.length;
    yield text.slice(from, to);
    from = to;
  }
}

function csvField(value: CsvValue, separator: ',' | ';' = ','): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const safe = disarm(value);
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a cell of an export as it was before `csvLine` put apostrophes into it, so that an export can be read in again. */
export function rearm(text: string): string {
  return text.replace(DISARMED, '$1');
}

function disarm(text: string): string {
  return text.replace(FORMULA_START, "$1'");
}
