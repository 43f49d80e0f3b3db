import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { DatabaseHost } from './host.ts';
import { createRoles, createSchemas, explainDatabaseError, withClient } from './roles.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', 'schema', 'migrations');

/**
 * Brings a server and one of its databases to the shape this version needs: roles, database, schemas, the job queue's
 * own tables, then our SQL files in order. Running it again does nothing; two starters at once wait for each other.
 * Returns the names of the files that were applied. Throws `StartError`.
 */
export async function prepareDatabase(host: DatabaseHost, database: string, migrationsDir: string = MIGRATIONS_DIR): Promise<string[]> {
  return withClient(host.adminConfig, async (client) => {
    // Roles belong to the whole server and their rows do not queue politely: one starter at a time, from here to the end.
    await client.query(`select pg_advisory_lock(hashtext('portal prepare'))`);
    await createRoles(host);
    await createSchemas(host, database);
    await migrateQueue(host, database);
    return migrateTables(host, database, migrationsDir);
  });
}

async function migrateQueue(host: DatabaseHost, database: string): Promise<void> {
  const pool = openAs(host, database, 'portal_queue');
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
    // Definer functions of ours add jobs; the queue's tables grant nothing to anybody else.
    await pool.query('grant usage on schema graphile_worker to portal_owner');
  } catch (error) {
    throw explainDatabaseError(error, host.adminConfig);
  } finally {
    await pool.end();
  }
}

async function migrateTables(host: DatabaseHost, database: string, migrationsDir: string): Promise<string[]> {
  const pool = openAs(host, database, 'portal_owner');
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: sqlFiles(migrationsDir) });
    const { error, results } = await migrator.migrateToLatest();
    if (error) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The database could not be brought up to date${failed ? `: migration ${failed} failed` : ''}: ${reason}`, {
        cause: error,
      });
    }
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

/** A small pool of the administrator wearing another role from its first statement on. */
function openAs(host: DatabaseHost, database: string, role: string): pg.Pool {
  const pool = new pg.Pool({ ...host.adminConfig, database, max: 2, options: `-c role=${role} -c lock_timeout=30s` });
  // The queue library insists on both: a connection that breaks while idle, and one that breaks in use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Forward-only: `NNNN-name.sql` files, each run as a whole inside the migrator's transaction. */
function sqlFiles(dir: string): MigrationProvider {
  return {
    async getMigrations() {
      const names = (await readdir(dir)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
      const entries = names.map(async (name): Promise<[string, Migration]> => {
        const text = await readFile(join(dir, name), 'utf8');
        const up = async (db: Kysely<unknown>): Promise<void> => void (await sql.raw(text).execute(db));
        return [name.replace(/\.sql$/, ''), { up }];
      });
      return Object.fromEntries(await Promise.all(entries));
    },
  };
}
