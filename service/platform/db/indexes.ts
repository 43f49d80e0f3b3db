import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';
import type { DatabaseHost } from './host.ts';
import { withClient } from './roles.ts';

/** One statement of `indexes.sql`: `create index <name> on <table> <rest>`. */
export type DeclaredIndex = { name: string; table: string; rest: string };

/** A table of fewer blocks (8 kB) is indexed in milliseconds. */
const SMALL_BLOCKS = 2_000;
const RETRY_MS = 60_000;
/** An index that cannot be built, such as for lack of space, is retried with growing pauses up to this. */
const RETRY_MS_MAX = 3_600_000;
const CANCEL_EVERY_MS = 500;
/** Application name of the session that builds. */
export const BUILDER_NAME = 'portal indexes';
/** Most that a statement waits for a lock that others queue behind. */
const LOCK_MS = 1_000;
/** Someone held the lock; the partition was dropped meanwhile; the statement was cancelled by a stop. */
const LATER_CODES: readonly string[] = ['55P03', '40P01', '42P01', '57014', '57P01'];

/** Returns the indexes that the schema declares for large tables; none without the file. */
export async function readIndexes(schemaDir: string): Promise<DeclaredIndex[]> {
  const text = await readFile(join(schemaDir, 'indexes.sql'), 'utf8').catch(() => '');
  return [...text.matchAll(/^create index (\w+) on (\w+) ([^;]+);$/gm)].map(([, name = '', table = '', rest = '']) => ({
    name,
    table,
    rest,
  }));
}

/** Builds those that are missing on small tables. Writes to them wait meanwhile, for milliseconds. */
export async function buildSmallIndexes(pool: pg.Pool, indexes: readonly DeclaredIndex[]): Promise<void> {
  for (const index of await listMissing(pool, indexes))
    if (!index.exists && index.blocks < SMALL_BLOCKS)
      await pool.query(`create index if not exists ${index.name} on ${index.table} ${index.rest}`);
}

export type IndexBuilder = {
  host: DatabaseHost;
  database: string;
  indexes: readonly DeclaredIndex[];
  log: Log;
  /** Cancels what is being built; the next start continues. */
  signal: AbortSignal;
  /** How long to wait before another round where a lock was held or another process builds; a minute unless given. */
  retryMs?: number;
};

/**
 * Builds missing indexes, one index and one partition at a time, while everything else goes on. Existing indexes are read from the catalog: after a crash
 * it continues, and a half-built index is dropped first. Only one of several processes builds; the others wait and take over when it dies. Resolves when
 * nothing is missing, or when the process stops.
 */
export async function buildIndexes(builder: IndexBuilder): Promise<void> {
  const { log, signal, retryMs = RETRY_MS } = builder;
  const failed: Failed = new Map();
  while (!signal.aborted) {
    try {
      if ((await buildRound(builder, failed)) === 0) return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'indexes were not built, retrying');
    }
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Indexes that could not be built, how often, and when they are tried again. */
type Failed = Map<string, { times: number; until: number }>;

/** Returns how many are still missing. */
async function buildRound({ host, database, indexes, log, signal, retryMs = RETRY_MS }: IndexBuilder, failed: Failed): Promise<number> {
  // A session of its own: such statements run in no transaction, and the lock ends with the session.
  const address = {
    ...host.adminConfig,
    database,
    options: '-c role=portal_owner -c statement_timeout=0',
    application_name: BUILDER_NAME,
  };
  return withClient(address, async (client) => {
    if ((await listMissing(client, indexes)).length === 0) return 0;
    // Never waits: a session that waits in a statement would be waited for by the one that builds.
    const { rows } = await client.query<{ mine: boolean; pid: number }>(
      `select pg_try_advisory_lock(hashtext('portal indexes')) as mine, pg_backend_pid() as pid`,
    );
    const [session] = rows;
    if (!session?.mine) return indexes.length;
    const cancel = (): void =>
      void withClient({ ...host.adminConfig, database }, (other) => other.query('select pg_cancel_backend($1)', [session.pid])).catch(
        () => undefined,
      );
    // Repeated: one that comes between two statements ends none.
    let repeated: NodeJS.Timeout | undefined;
    const stop = (): void => {
      cancel();
      repeated = setInterval(cancel, CANCEL_EVERY_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (const index of await listMissing(client, indexes)) {
        const before = failed.get(index.name);
        if (signal.aborted) break;
        if (before && before.until > performance.now()) continue;
        const startedAt = performance.now();
        try {
          const isBuilt = await later(() =>
            index.isPartitioned ? buildPartitioned(client, index, signal) : buildOne(client, index.name, index.table, index.rest, signal),
          );
          if (isBuilt) log.info({ index: index.name, seconds: Math.round((performance.now() - startedAt) / 1_000) }, 'index built');
        } catch (error) {
          const times = (before?.times ?? 0) + 1;
          failed.set(index.name, { times, until: performance.now() + Math.min(RETRY_MS_MAX, retryMs * 2 ** times) });
          log.error({ err: error, index: index.name }, 'an index could not be built');
        }
      }
      return (await listMissing(client, indexes)).length;
    } finally {
      clearInterval(repeated);
      signal.removeEventListener('abort', stop);
    }
  });
}

type MissingIndex = DeclaredIndex & { exists: boolean; isPartitioned: boolean; blocks: number };

/** Returns missing and invalid indexes: half built, or without an index of each partition. */
async function listMissing(db: pg.Pool | pg.Client, indexes: readonly DeclaredIndex[]): Promise<MissingIndex[]> {
  const { rows } = await db.query<{ name: string; exists: boolean; partitioned: boolean; blocks: string }>(
    `select d.name, i.indexrelid is not null as exists, t.relkind = 'p' as partitioned,
       (select coalesce(sum(pg_relation_size(p.oid)), 0) / 8192 from (select t.oid union select relid from pg_partition_tree(t.oid)) p(oid)) as blocks
     from unnest($1::text[], $2::text[]) d(name, tab) join pg_class t on t.oid = to_regclass('public.' || d.tab)
     left join pg_index i on i.indexrelid = to_regclass('public.' || d.name) where i.indisvalid is not true`,
    [indexes.map(({ name }) => name), indexes.map(({ table }) => table)],
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  return indexes.flatMap((index) => {
    const row = found.get(index.name);
    return row ? [{ ...index, exists: row.exists, isPartitioned: row.partitioned, blocks: Number(row.blocks) }] : [];
  });
}

/** Builds one index of one table without blocking writes. A half-built index of this name is dropped first. */
async function buildOne(client: pg.Client, name: string, table: string, rest: string, signal: AbortSignal): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass($1)',
    [`public.${name}`],
  );
  if (rows[0]?.valid === true) return;
  // They wait for transactions that are open, and nothing waits for them.
  await client.query('set lock_timeout = 0');
  if (rows.length > 0) await client.query(`drop index concurrently if exists ${name}`);
  if (!signal.aborted) await client.query(`create index concurrently ${name} on ${table} ${rest}`);
}

/** Declares the index, so that partitions made from now on have it, and builds and attaches it for each partition that has not. */
async function buildPartitioned(client: pg.Client, { name, table, rest }: DeclaredIndex, signal: AbortSignal): Promise<void> {
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  await client.query(`create index if not exists ${name} on only ${table} ${rest}`);
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits t join pg_class c on c.oid = t.inhrelid
     where t.inhparent = to_regclass($1) and not exists (
       select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid where a.inhparent = to_regclass($2) and i.indrelid = c.oid)
     order by c.relname desc`,
    [`public.${table}`, `public.${name}`],
  );
  // A partition went before its index was made: the others are attached, and the server does not look again.
  if (rows.length === 0) await client.query(`drop index ${name}`);
  for (const { partition } of rows) {
    if (signal.aborted) return;
    const own = `${partition}_${name}`.slice(0, 63);
    await later(async () => {
      await buildOne(client, own, partition, rest, signal);
      if (signal.aborted) return;
      await client.query(`set lock_timeout = ${LOCK_MS}`);
      await client.query(`alter index ${name} attach partition ${own}`);
    });
  }
}

/** Leaves for the next round what meets a lock, a dropped partition or a stop. Returns whether it was done. */
async function later(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!LATER_CODES.includes(code)) throw error;
    return false;
  }
}
