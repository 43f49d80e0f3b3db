/** Rows as read from the database, page by page. */
export type AsyncRows = AsyncIterable<readonly CsvValue[]>;
export type CsvValue = string | number | boolean | Date | null | undefined;

/**
 * Returns one line of CSV (RFC 4180, CRLF). Texts that a spreadsheet would run as a formula are prefixed with an apostrophe, because
 * exports contain input from strangers.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Yields the header line and the rows in chunks of some kilobytes, so that a large export costs few writes and little memory. */
export async function* csvChunks(columns: readonly string[], rows: AsyncRows): AsyncGenerator<string> {
  // Spreadsheets recognise UTF-8 by the byte order mark.
  let chunk = `\uFEFF${csvLine(columns)}`;
  for await (const row of rows) {
    chunk += csvLine(row);
    if (chunk.length < 16_384) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}
