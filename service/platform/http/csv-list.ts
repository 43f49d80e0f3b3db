import type { CsvAnswer } from './answer.ts';
import type { CsvValue } from './csv.ts';

/** Heading and value of each column. */
export type CsvColumns<Row> = readonly (readonly [heading: string, value: (row: Row) => CsvValue])[];

/**
 * Returns the CSV export of a list: the list's own pages, read as the receiver takes them, so that filters and scope cannot differ. The
 * first page is read before anything is sent, so that a refusal is still an ordinary response. `tag`: that of a reader whose language the headings are in.
 */
export async function csvOfList<Row>(
  file: { name: string; now: Date; tag?: string },
  columns: CsvColumns<Row>,
  read: (cursor: string | undefined) => Promise<{ data: readonly Row[]; nextCursor: string | null }>,
): Promise<CsvAnswer> {
  const first = await read(undefined);
  const pages = async function* (): AsyncGenerator<readonly (readonly CsvValue[])[]> {
    let page = first;
    for (;;) {
      yield page.data.map((row) => columns.map(([, value]) => value(row)));
      if (page.nextCursor === null) return;
      page = await read(page.nextCursor);
    }
  };
  return {
    kind: 'csv',
    filename: `${file.name}-${file.now.toISOString().slice(0, 10)}.csv`,
    columns: columns.map(([heading]) => heading),
    pages: pages(),
    ...(file.tag === undefined ? {} : { tag: file.tag }),
  };
}

/** The rows of an export that was read at once. */
export async function* onePage(rows: readonly (readonly CsvValue[])[]): AsyncGenerator<readonly (readonly CsvValue[])[]> {
  yield rows;
}

/** Rows per page of an export. */
export const CSV_PAGE = 500;
