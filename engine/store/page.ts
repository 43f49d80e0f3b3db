import type { Pool, QueryResultRow } from 'pg';

/** One page of a list, with opaque cursors. */
export type Page<T> = { data: T[]; next: string | null; previous: string | null };

export type Listing = {
  pool: Pool;
  /** `select …, <key columns as key_0, key_1, …> from … where …` without order and limit. */
  select: string;
  params: unknown[];
  /** Columns that order the list, all in the same direction; the last one is unique. */
  keys: { column: string; cast: string }[];
  direction: 'asc' | 'desc';
  limit: number;
  cursor?: string | undefined;
};

type Cursor = { direction: 'next' | 'prev'; key: string[] };

function encodeCursor(direction: 'next' | 'prev', row: QueryResultRow, keyCount: number): string {
  const key = Array.from({ length: keyCount }, (_unused, index) => {
    const value: unknown = row[`key_${index}`];
    return value instanceof Date ? value.toISOString() : String(value);
  });
  return Buffer.from(`${direction}_${Buffer.from(JSON.stringify(key)).toString('base64')}`).toString('base64');
}

/** A cursor we did not make is ignored, as the recorded engine does. */
function decodeCursor(text: string | undefined, keyCount: number): Cursor | undefined {
  if (text === undefined) return undefined;
  const match = /^(next|prev)_(.+)$/s.exec(Buffer.from(text, 'base64').toString('utf8'));
  try {
    const key: unknown = JSON.parse(Buffer.from(match?.[2] ?? '', 'base64').toString('utf8'));
    if (!Array.isArray(key) || key.length !== keyCount || !key.every((part) => typeof part === 'string')) return undefined;
    return { direction: match?.[1] === 'prev' ? 'prev' : 'next', key: key as string[] };
  } catch {
    return undefined;
  }
}

/** Reads one page by its key, forward or backward; one extra row shows whether there is a further page. */
export async function readPage<Row extends QueryResultRow, T>(listing: Listing, toItem: (row: Row) => T): Promise<Page<T>> {
  const { keys, limit, params } = listing;
  const cursor = decodeCursor(listing.cursor, keys.length);
  const backward = cursor?.direction === 'prev';
  const ascending = (listing.direction === 'asc') !== backward;
  const columns = keys.map(({ column }) => column);
  let sql = listing.select;
  const values = [...params];
  if (cursor !== undefined) {
    const marks = keys.map(({ cast }, index) => `$${values.length + index + 1}::${cast}`);
    sql += ` and (${columns.join(', ')}) ${ascending ? '>' : '<'} (${marks.join(', ')})`;
    values.push(...cursor.key);
  }
  sql += ` order by ${columns.map((column) => `${column} ${ascending ? 'asc' : 'desc'}`).join(', ')} limit ${limit + 1}`;
  const { rows } = await listing.pool.query<Row>(sql, values).catch((error: unknown) => {
    // A forged key of the wrong type is a bad cursor, not a fault of ours.
    if (cursor !== undefined && error instanceof Error && 'code' in error && String(error.code).startsWith('22'))
      return { rows: [] as Row[] };
    throw error;
  });
  const more = rows.length > limit;
  const kept = rows.slice(0, limit);
  if (backward) kept.reverse();
  const first = kept[0];
  const last = kept.at(-1);
  const hasNext = backward ? cursor !== undefined : more;
  const hasPrevious = backward ? more : cursor !== undefined;
  return {
    data: kept.map(toItem),
    next: hasNext && last !== undefined ? encodeCursor('next', last, keys.length) : null,
    previous: hasPrevious && first !== undefined ? encodeCursor('prev', first, keys.length) : null,
  };
}
