import { csvFormOf, csvLine, type CsvValue } from '@partner-portal/core/csv/csv.ts';

export type { CsvValue };

/** Rows in the pages in which the database is asked for them. */
export type CsvPages = AsyncIterable<readonly (readonly CsvValue[])[]>;

/** Yields the header line and the rows in chunks of some kilobytes, so that a large export costs few writes and little memory. */
export async function* csvChunks({
  columns,
  pages,
  tag = 'en',
}: {
  columns: readonly string[];
  pages: CsvPages;
  tag?: string;
}): AsyncGenerator<string> {
  const form = csvFormOf(tag);
  // Spreadsheets recognise UTF-8 by the byte order mark.
  let chunk = `\uFEFF${csvLine(columns, form)}`;
  for await (const rows of pages) {
    for (const row of rows) {
      chunk += csvLine(row, form);
      if (chunk.length < 16_384) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}
