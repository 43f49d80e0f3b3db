import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const FOLDER = join(import.meta.dirname, 'migrations');

// Any fixed number: two starting processes must wait for each other.
const LOCK_KEY = 7_261_001;

/** Migrates schema `sandbox`. Forward only; safe to run in two processes at once. */
export async function migrateSandbox(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const schema = await client.query("select from pg_namespace where nspname = 'sandbox'");
    if (schema.rowCount === 0) await client.query('create schema sandbox');
    await client.query('create table if not exists sandbox.migration (name text primary key, at timestamptz not null default now())');
    const applied = await client.query<{ name: string }>('select name from sandbox.migration');
    const names = new Set(applied.rows.map((row) => row.name));
    for (const file of readdirSync(FOLDER).toSorted()) {
      if (names.has(file)) continue;
      await client.query(readFileSync(join(FOLDER, file), 'utf8'));
      await client.query('insert into sandbox.migration (name) values ($1)', [file]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
