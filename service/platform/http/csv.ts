/** Rows as they come from the database, page by page. */
export type AsyncRows = AsyncIterable<readonly CsvValue[]>;
export type CsvValue = string | number | boolean | Date | null | undefined;

/**
 * One line of CSV (RFC 4180, CRLF). A text that a spreadsheet would run as a formula gets an apostrophe in front,
 * because exports hold what strangers typed into forms.
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

/** Header line, then rows, joined into chunks of some kilobytes so that a big export costs few writes and little memory. */
export async function* csvChunks(columns: readonly string[], rows: AsyncRows): AsyncGenerator<string> {
  // The mark tells spreadsheets that this is UTF-8.
  let chunk = `\uFEFF${csvLine(columns)}`;
  for await (const row of rows) {
    chunk += csvLine(row);
    if (chunk.length < 16_384) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}
