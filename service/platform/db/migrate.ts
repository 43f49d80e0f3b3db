import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { DatabaseHost } from './host.ts';
import { applyBaseline, planBaseline } from './baseline.ts';
import { applyMigrations, createLedger, planMigrations } from './migration-history.ts';
import { BUILDER_NAME, buildSmallIndexes, readIndexes } from './indexes.ts';
import { createRoles, createSchemas, demandVersion, explainDatabaseError, withClient } from './roles.ts';
import { applyBaseRoutines, applyRoutines } from './routines.ts';

/**
 * `tables/` holds what a new database begins with, `migrations/` the changes since, each applied once; `functions/` what is applied again whenever
 * its text changes, `indexes.sql` indexes of large tables.
 */
export const SCHEMA_DIR = join(import.meta.dirname, '..', '..', 'schema');

/** Most that an update waits for a table at a time, and how often it tries: half a minute together. */
const LOCK_MS = 2_000;
const LOCK_TRIES = 12;
const LOCK_PAUSE_MS = 500;
const LOCK_CODES: readonly string[] = ['55P03', '40P01'];

/**
 * Brings a server and one of its databases to the shape this version needs: roles, database, schemas, the job queue's own tables,
 * then our tables, migrations, functions and the indexes of small tables (`buildIndexes` builds those of large ones later). Running it again changes nothing; concurrent starts wait for each other.
 * Returns the names of what was applied. Throws `StartError`.
 */
export async function prepareDatabase(host: DatabaseHost, database: string, schemaDir: string = SCHEMA_DIR): Promise<string[]> {
  return withClient(host.adminConfig, async (client) => {
    await demandVersion(client, host.adminConfig);
    // Roles belong to the whole server, and concurrent changes to one fail: one start at a time, from here to the end.
    await client.query(`select pg_advisory_lock(hashtext('portal prepare'))`);
    await createRoles(host, database);
    await createSchemas(host, database);
    await migrateQueue(host, database);
    return migrateSchema(host, database, schemaDir);
  });
}

async function migrateQueue(host: DatabaseHost, database: string): Promise<void> {
  const pool = openAs(host, database, 'portal_queue');
  try {
    await letOthersGoOn(async () => {
      await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
      // Definer functions of ours add jobs; no other role has rights on the queue's tables.
      await pool.query('grant usage on schema graphile_worker to portal_owner');
    });
  } catch (error) {
    throw explainDatabaseError(error, host.adminConfig);
  } finally {
    await pool.end();
  }
}

/** Base functions come first because tables and migrations call them; all others need the tables. */
async function migrateSchema(host: DatabaseHost, database: string, schemaDir: string): Promise<string[]> {
  const migrationsDir = join(schemaDir, 'migrations');
  const functionsDir = join(schemaDir, 'functions');
  const pool = openAs(host, database, 'portal_owner');
  try {
    await createLedger(pool);
    const plan = await planBaseline(pool, schemaDir);
    const missing = await planMigrations(pool, migrationsDir, plan !== null);
    const stopBuilds = (): Promise<void> => cancelBuilds(host, database);
    const base = await letOthersGoOn(() => applyBaseRoutines(pool, functionsDir), stopBuilds);
    const baseline = await letOthersGoOn(() => applyBaseline(pool, plan), stopBuilds);
    const migrations = await letOthersGoOn(() => applyMigrations(pool, missing), stopBuilds);
    const routines = await letOthersGoOn(() => applyRoutines(pool, functionsDir), stopBuilds);
    const indexes = await readIndexes(schemaDir);
    await letOthersGoOn(() => buildSmallIndexes(pool, indexes)).catch((error: unknown) => {
      // Nothing needs them at once, and a later start or build has them.
      if (!isLocked(error)) throw error;
    });
    return [...base, ...baseline, ...migrations, ...routines];
  } finally {
    await pool.end();
  }
}

/** Repeats work of one transaction that met a lock or a deadlock: while it waits for a table, all who want that table wait behind it. */
async function letOthersGoOn<T>(work: () => Promise<T>, beforeRetry = async (): Promise<void> => undefined): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || tries === LOCK_TRIES) throw error;
      await beforeRetry();
      await delay(LOCK_PAUSE_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && LOCK_CODES.includes(String(cause.code));
}

/** Ends the index that another process builds: it holds its table for minutes, and goes on where it was with the next round. */
async function cancelBuilds(host: DatabaseHost, database: string): Promise<void> {
  await withClient({ ...host.adminConfig, database }, (client) =>
    client.query('select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1', [
      BUILDER_NAME,
    ]),
  );
}

/** Opens a small pool of the administrator that acts as another role from its first statement on. */
function openAs(host: DatabaseHost, database: string, role: string): pg.Pool {
  const pool = new pg.Pool({
    ...host.adminConfig,
    database,
    max: 2,
    options: `-c role=${role} -c lock_timeout=${LOCK_MS} -c timezone=UTC`,
  });
  // The queue library insists on both: a connection that breaks while idle, and one that breaks in use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
