import type pg from 'pg';
import { StartError } from '../start-error.ts';

/** A file of the schema, and its path below `service/schema/`. */
export type SchemaFile = { path: string; text: string };

/** Runs `work` in a transaction of its own. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Runs files in one round trip. When that fails they run one by one, because only then the error names its file. */
export async function runFiles(client: pg.PoolClient, files: readonly SchemaFile[]): Promise<void> {
  await inOneGo(client, files.map(({ text }) => text).join('\n;\n'), async () => {
    for (const { path, text } of files) await client.query(text).catch((error: unknown) => Promise.reject(explain(path, error)));
  });
}

/** Runs `text`; when it fails, undoes it and does the same work with `oneByOne`, which names what fails. */
export async function inOneGo(client: pg.PoolClient, text: string, oneByOne: () => Promise<void>): Promise<void> {
  await client.query('savepoint in_one_go');
  try {
    await client.query(text);
  } catch {
    await client.query('rollback to savepoint in_one_go');
    await oneByOne();
  }
}

/** Returns the error of a start that could not change the database, which names the file or function that failed. */
export function explain(what: string, error: unknown): StartError {
  return new StartError(`The database could not be migrated: ${what} failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}
