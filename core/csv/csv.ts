export type CsvValue = string | number | boolean | Date | null | undefined;

/**
 * Where a spreadsheet may start a cell and find a formula in it: at the start of a text, and behind a semicolon, tab or line break, which
 * separate cells in a program set to another separator, quoted or not. Blanks, quotes and invisible characters in between are skipped, as
 * those programs do. Full-width signs count in East Asian settings.
 */
const FORMULA_START = /(^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=(?:["\p{Zs}\p{Cf}]|(?![\t\n\v\f\r\u0085])\p{Cc})*[=+\-@＝＋－＠])/gu;

/** A file of commas quotes each text with a comma; in one of semicolons, which may be read by commas, it begins a cell. A price such as "49,- €" computes nothing. */
const BEHIND_COMMA =
  /(,)(?=(?:["\p{Zs}\p{Cf}]|(?![\t\n\v\f\r\u0085])\p{Cc})*(?:[=@＝＠]|[+\-＋－](?![\p{Zs}\p{Sc}).;!?]*(?:$|[\n\r;])|\p{Zs}*\p{Sc})))/gu;

const DISARMED = new RegExp(FORMULA_START.source.replace('(?=', "'(?="), FORMULA_START.flags);
const DISARMED_BEHIND_COMMA = new RegExp(BEHIND_COMMA.source.replace('(?=', "'(?="), BEHIND_COMMA.flags);

/** How cells are separated, and how numbers are written in them. */
export type CsvForm = { separator: ',' | ';'; decimal: '.' | ',' };
const COMMAS: CsvForm = { separator: ',', decimal: '.' };

/**
 * Returns the form in which a spreadsheet of a reader opens a file, by the BCP 47 tag of their numbers: where a comma is the decimal mark, it does
 * not separate cells, and `2.5` is a date. Switzerland writes a point, and separates by semicolons nevertheless.
 */
export function csvFormOf(tag: string): CsvForm {
  const isComma = new Intl.NumberFormat(tag).formatToParts(0.5).some(({ type, value }) => type === 'decimal' && value === ',');
  return { separator: isComma || tag.startsWith('de') ? ';' : ',', decimal: isComma ? ',' : '.' };
}

/**
 * Returns one line of CSV (RFC 4180, CRLF). An apostrophe is put before everything that a spreadsheet could run as a formula, because
 * exports contain input from strangers.
 */
export function csvLine(values: readonly CsvValue[], { separator, decimal }: CsvForm = COMMAS): string {
  return `${values.map((value) => csvField(value, separator, decimal)).join(separator)}\r\n`;
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

function csvField(value: CsvValue, separator: CsvForm['separator'] = ',', decimal: CsvForm['decimal'] = '.'): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value).replace('.', decimal);
  if (typeof value !== 'string') return String(value);
  const safe = disarm(value, separator);
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a cell of an export as it was before `csvLine` put apostrophes into it, so that an export can be read in again. `separator`: of its file. */
export function rearm(text: string, separator: string = ','): string {
  const plain = text.replace(DISARMED, '$1');
  return separator === ';' ? plain.replace(DISARMED_BEHIND_COMMA, '$1') : plain;
}

function disarm(text: string, separator: CsvForm['separator'] = ','): string {
  const safe = text.replace(FORMULA_START, "$1'");
  return separator === ';' ? safe.replace(BEHIND_COMMA, "$1'") : safe;
}
