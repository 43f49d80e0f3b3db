import type pg from 'pg';
import { createBatcher, isDataError } from '../batch.ts';

type Query = { name?: string; text: string; values?: unknown[] };
type Counted = { points: number; expire: number | null };
type Count = { key: string; points: number; expiresAt: number | null };

const COUNTS_MAX = 200;
/**
 * After this, a call is counted in memory, where each process allows the full limit. As long as the statements of a page may run, so that a busy database
 * is not taken for one that hangs.
 */
const WAIT_MS = 8_000;
/** How long calls wait once a count came too late, until one is answered again. */
const HANGING_WAIT_MS = 200;
const WAITING_MAX = 2_000;
/** How the library names the statement that counts. */
const COUNT_STATEMENT = 'rate_limit:rlflx-upsert';
/** How the library names the statement that reads a count. */
const READ_STATEMENT = 'rate_limit:rlflx-get';
/**
 * Windows begin and end by the database's clock: the machines of several processes may differ by minutes. A process gives the time of its own clock,
 * and gets the end of a window by it. Every part of a statement sees the same `now()`.
 */
const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';
/** In the order of the keys, so that processes that count the same ones never wait for each other in a circle. */
const COUNT_ALL = {
  name: 'count_requests',
  text: `insert into rate_limit as r (key, points, expire)
    select t.key, t.points, t.expire - $4 + ${NOW_MS} from unnest($1::text[], $2::int[], $3::bigint[]) as t(key, points, expire) order by t.key
    on conflict (key) do update set points = case when r.expire <= ${NOW_MS} then excluded.points else r.points + excluded.points end,
      expire = case when r.expire <= ${NOW_MS} then excluded.expire else r.expire end
    returning key, points, expire + $4 - ${NOW_MS} as expire`,
};
const READ = {
  name: 'read_count',
  text: `select points, expire + $2 - ${NOW_MS} as expire from rate_limit where key = $1 and (expire > ${NOW_MS} or expire is null)`,
};

/**
 * The connection that the rate-limit library is given: counts that are asked for while others are on their way go in one statement, instead of a
 * transaction for each. Every other statement passes as it is.
 */
export function createCounterClient(
  pool: pg.Pool,
  waitMs = WAIT_MS,
): { query(query: Query): Promise<{ rows: unknown[]; rowCount: number | null }> } {
  const counts = createBatcher<Count, Counted>({
    run: (batch) => countAll(pool, batch),
    itemsMax: COUNTS_MAX,
    inFlightMax: 2,
    isPoison: isDataError,
  });
  let waiting = 0;
  let isHanging = false;
  const addInTime = async (count: Count): Promise<Counted> => {
    if (waiting >= WAITING_MAX) throw new Error('Too many counts wait for the database.');
    waiting += 1;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        isHanging = true;
        late.reject(new Error('The database did not count in time.'));
      },
      isHanging ? HANGING_WAIT_MS : waitMs,
    );
    const counted = counts.add(count).finally(() => {
      waiting -= 1;
      isHanging = false;
    });
    try {
      return await Promise.race([counted, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async query(query) {
      if (query.name === READ_STATEMENT) return pool.query({ ...query, ...READ });
      if (query.name !== COUNT_STATEMENT) return pool.query(query);
      const [key, points, expiresAt] = query.values as [string, number, number | null, number]; // of the library's own statement
      return { rows: [await addInTime({ key, points, expiresAt })], rowCount: 1 };
    },
  };
}

/** Returns for each count what its key had reached with it, as if they had come one after the other. */
async function countAll(pool: pg.Pool, batch: readonly Count[]): Promise<Counted[]> {
  const sums = new Map<string, Count>();
  for (const count of batch) {
    const before = sums.get(count.key);
    sums.set(count.key, before ? { ...before, points: before.points + count.points } : count);
  }
  const each = [...sums.values()];
  const { rows } = await pool.query<Counted & { key: string }>({
    ...COUNT_ALL,
    values: [each.map(({ key }) => key), each.map(({ points }) => points), each.map(({ expiresAt }) => expiresAt), Date.now()],
  });
  const reached = new Map(rows.map((row) => [row.key, row]));
  const later = new Map<string, number>();
  return batch
    .toReversed()
    .map(({ key, points }) => {
      const behind = later.get(key) ?? 0;
      later.set(key, behind + points);
      const { points: all = 0, expire = null } = reached.get(key) ?? {};
      return { points: all - behind, expire };
    })
    .toReversed();
}
