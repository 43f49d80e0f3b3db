import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import type { DatabaseAddress, DatabaseHost } from '@partner-portal/service/platform/db/host.ts';
import { prepareDatabase } from '@partner-portal/service/platform/db/migrate.ts';
import { processStartedAt } from '@partner-portal/service/platform/db/postmaster.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import pg from 'pg';
import { copyCluster, hashSchema } from './cluster-template.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { exclusively, hasTaken } from './lock-file.ts';

/** One statement as the administrator: no policy applies. A test looks into rows freely. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AdminQuery = <Row extends pg.QueryResultRow = any>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** One migrated database of its own for a test file. */
export type TestDatabase = {
  name: string;
  configFor(role: string): DatabaseAddress;
  /** The server, for tests that start the whole service on it. */
  host: DatabaseHost;
  query: AdminQuery;
  drop(): Promise<void>;
};

/**
 * All test processes of this working copy share one server: it starts with the first of them, on a copy of the cluster template, and ends
 * with the last, which removes its files. Durability is off: tests of durability start a server of their own.
 */
const NAME = `portal-test-${createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 10)}`;
const ROOT = join(tmpdir(), NAME);
const SERVER_DIR = join(DATA_FOLDER, `${NAME}-server`);
const USERS_DIR = join(ROOT, 'users');
const LOCK = join(ROOT, 'lock');
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Without a checkpoint while a file runs, and with a bound: it may be memory.
  max_wal_size: '512MB',
  autovacuum: 'off',
};
const POLL_MS = 20;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let cluster: Promise<{ server: EmbeddedPostgres; template: string }> | undefined;
let created = 0;

/** Clones the migrated template into a fresh database (about 30 ms; copying through the log would take five times as long). */
export async function createTestDatabase(): Promise<TestDatabase> {
  cluster ??= openCluster();
  const { server, template } = await cluster;
  const name = `t_${process.pid}_${++created}`;
  await withClient(server.adminConfig, (client) =>
    client.query(`create database ${name} template ${template} owner portal_owner strategy file_copy`),
  );
  const admin = openAsAdmin(server, name);
  return {
    name,
    host: server,
    configFor: (role) => server.configFor(role, name),
    query: admin.query,
    drop: async () => {
      await admin.end();
      await withClient(server.adminConfig, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** Keeps the administrator's connections to a database: to a new one, a first statement costs ten times as much. */
export function openAsAdmin({ adminConfig }: DatabaseHost, database: string): { query: AdminQuery; end(): Promise<void> } {
  const pool = new pg.Pool({ ...adminConfig, database, max: 4, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A test may end its server meanwhile.
  pool.on('error', () => undefined);
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    end: () => pool.end(),
  };
}

/** Transactions of this database that wait for a row lock. */
export async function countLockWaits({ host, name }: TestDatabase): Promise<number> {
  const waiting = await withClient(host.adminConfig, (client) =>
    client.query("select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'", [name]),
  );
  return waiting.rowCount ?? 0;
}

/**
 * Ends all connections of this database, pools open new ones, and waits until they are gone. From then on `pg_stat_user_tables` counts all that was read and
 * written before: a backend reports that when it ends, or else up to ten seconds later.
 */
export async function reportStatistics({ host, name }: TestDatabase): Promise<void> {
  await withClient(host.adminConfig, async (client) => {
    const present = 'select pid, backend_start::text as since from pg_stat_activity where datname = $1';
    const { rows } = await client.query<{ pid: number; since: string }>(present, [name]);
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t(pid)', [rows.map(({ pid }) => pid)]);
    const known = new Set(rows.map(({ pid, since }) => `${pid} ${since}`));
    const isThere = async (): Promise<boolean> =>
      (await client.query<{ pid: number; since: string }>(present, [name])).rows.some(({ pid, since }) => known.has(`${pid} ${since}`));
    while (await isThere()) await delay(POLL_MS);
  });
}

async function openCluster(): Promise<{ server: EmbeddedPostgres; template: string }> {
  mkdirSync(USERS_DIR, { recursive: true });
  writeFileSync(join(USERS_DIR, String(process.pid)), processStartedAt(process.pid) ?? '');
  return exclusively(LOCK, async () => {
    // The removal of an earlier one may have been interrupted.
    const isFresh = !existsSync(join(SERVER_DIR, 'cluster', 'PG_VERSION'));
    if (isFresh) {
      rmSync(SERVER_DIR, { recursive: true, force: true });
      mkdirSync(SERVER_DIR, { mode: 0o755 });
      await copyCluster(SERVER_DIR);
    }
    const server = await startEmbeddedPostgres({ dataDir: SERVER_DIR, log: quiet, shared: true, settings: TEST_SETTINGS });
    process.once('exit', () => leave(server));
    const template = await prepareTemplate(server, isFresh);
    return { server, template };
  });
}

/** Returns the name of the migrated database: in a fresh cluster the template's own, in an older one a new one when the schema has changed. */
async function prepareTemplate(server: EmbeddedPostgres, isFresh: boolean): Promise<string> {
  const template = `template_${hashSchema()}`;
  if (isFresh) {
    await withClient(server.adminConfig, (client) => client.query(`alter database portal rename to ${template}`));
    // The first connection to a database writes its cache of the catalogs, which clones copy; the start of the server has removed it.
    await withClient({ ...server.adminConfig, database: template }, (client) => client.query('select'));
    return template;
  }
  const found = await withClient(server.adminConfig, async (client) => {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database where datname ~ '^(t_|template_[0-9a-f])'");
    const names = rows.map((row) => row.datname);
    await dropLeftovers(client, names, template);
    return names.includes(template);
  });
  if (found) return template;
  const draft = `draft_${process.pid}`;
  await withClient(server.adminConfig, (client) => client.query(`drop database if exists ${draft} with (force)`));
  await prepareDatabase(server, draft);
  await withClient(server.adminConfig, (client) => client.query(`alter database ${draft} rename to ${template}`));
  return template;
}

/** Databases of killed test processes and templates of older migrations. */
async function dropLeftovers(client: pg.Client, names: string[], keep: string): Promise<void> {
  for (const name of names) {
    const pid = Number(/^t_(\d+)_/.exec(name)?.[1] ?? 0);
    // One of our own number is left from a process that had it before us: we have made none yet.
    const stale = pid ? pid === process.pid || processStartedAt(pid) === null : name !== keep;
    // A template that another process is cloning at this moment cannot be dropped, and need not be.
    if (stale) await client.query(`drop database if exists ${name}${pid ? ' with (force)' : ''}`).catch(() => undefined);
  }
}

/**
 * Runs while the process exits, so everything here is synchronous. The lock is held until the server is gone: a process that starts meanwhile
 * would adopt a server that is about to end.
 */
function leave(server: EmbeddedPostgres): void {
  try {
    unlinkSync(join(USERS_DIR, String(process.pid)));
    if (!isSoon(() => hasTaken(LOCK))) return;
  } catch {
    // The folder was cleaned away.
    return;
  }
  try {
    const others = readdirSync(USERS_DIR).filter((pid) => processStartedAt(Number(pid)) !== null);
    const pid = server.pid();
    if (others.length > 0 || pid === null) return;
    process.kill(pid, 'SIGINT');
    if (isSoon(() => processStartedAt(pid) === null)) rmSync(SERVER_DIR, { recursive: true, force: true });
  } catch {
    // The server is gone: nothing is left to stop.
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** Polls for at most half a minute, blocking this process. */
function isSoon(isDone: () => boolean): boolean {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let polls = 0; polls < 1_500; polls += 1) {
    if (isDone()) return true;
    Atomics.wait(sleeping, 0, 0, POLL_MS);
  }
  return false;
}
