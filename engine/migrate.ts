import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';

const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url));
/** Advisory lock that serializes engines starting at the same time; any constant serves. */
const LOCK_KEY = 7_305_101;

async function ensureSchema(client: PoolClient): Promise<void> {
  // `create schema if not exists` asks for the right to create even when there is nothing to create.
  const known = await client.query("select from pg_namespace where nspname = 'engine'");
  if (known.rowCount === 0) await client.query('create schema engine');
  await client.query(`create table if not exists engine.migration (name text primary key, applied_at timestamptz not null default now())`);
}

async function applyNew(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from engine.migration');
  const applied = new Set(rows.map(({ name }) => name));
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql') && !applied.has(name)).toSorted();
  for (const name of files) {
    const sql = await readFile(MIGRATIONS + name, 'utf8');
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query('insert into engine.migration (name) values ($1)', [name]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
  return files;
}

/** Brings schema `engine` up to date, forward only, one starter at a time. Returns the names of what was applied. */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureSchema(client);
    return await applyNew(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => undefined);
    client.release();
  }
}
