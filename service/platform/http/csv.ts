import { csvLine, type CsvValue } from '@partner-portal/core/csv/csv.ts';

export type { CsvValue };

/** Rows as read from the database, page by page. */
export type AsyncRows = AsyncIterable<readonly CsvValue[]>;

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
