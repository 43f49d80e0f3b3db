import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { explain, inTransaction } from './run-files.ts';

/** A file of `migrations/`: its name without the ending, and its path as the database records it. */
type Migration = { name: string; path: string; text: string; checksum: string };

const FOLDER = 'migrations/';

/** `history.json` next to the migrations: the checksum that freezes each file. */
const historySchema = z.object({ checksums: z.record(z.string(), z.string()).default({}) });

/** Returns the history of a folder of migrations; an empty one when the file is missing. */
async function readHistory(migrationsDir: string): Promise<z.infer<typeof historySchema>> {
  const text = await readFile(join(migrationsDir, 'history.json'), 'utf8').catch(() => '{}');
  return historySchema.parse(JSON.parse(text));
}

/** Returns the checksum of a file's text. */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Creates the table that records which text of each migration and function file a database has applied. */
export async function createLedger(pool: pg.Pool): Promise<void> {
  await pool.query('create schema if not exists applied');
  await pool.query(
    'create table if not exists applied.file (path text primary key, checksum text not null, at timestamptz not null default now())',
  );
}

/** Returns the recorded checksum of each applied file whose path starts with `prefix`. */
export async function readLedger(db: pg.Pool | pg.PoolClient, prefix: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ path: string; checksum: string }>(
    'select path, checksum from applied.file where starts_with(path, $1)',
    [prefix],
  );
  return new Map(rows.map((row) => [row.path, row.checksum]));
}

/** Records the checksums of several applied files. */
export async function recordAll(db: pg.PoolClient, files: readonly { path: string; checksum: string }[]): Promise<void> {
  await db.query(
    `insert into applied.file (path, checksum) select * from unnest($1::text[], $2::text[])
     on conflict (path) do update set checksum = excluded.checksum, at = now()`,
    [files.map(({ path }) => path), files.map(({ checksum }) => checksum)],
  );
}

/** Records the checksum of an applied file. */
export async function record(db: pg.Pool | pg.PoolClient, path: string, checksum: string): Promise<void> {
  await db.query(
    'insert into applied.file (path, checksum) values ($1, $2) on conflict (path) do update set checksum = excluded.checksum, at = now()',
    [path, checksum],
  );
}

/**
 * Returns the migrations that the database has not applied, in the order of their numbers; `isNewHistory` when it gets or got its tables from the
 * baseline just now, so that what it recorded before does not count. Throws `StartError` when the files do not continue what it has applied.
 */
export async function planMigrations(pool: pg.Pool, migrationsDir: string, isNewHistory: boolean): Promise<Migration[]> {
  const files = await readMigrations(migrationsDir);
  const recorded = isNewHistory ? new Map<string, string>() : await readLedger(pool, 'migrations/');
  const last = [...recorded.keys()].sort().at(-1) ?? '';
  for (const { name, path, checksum } of files) {
    const applied = recorded.get(path);
    if (applied === undefined && path < last)
      throw new StartError(
        `Migration ${name} comes before ${last.slice(FOLDER.length)}, which this database has applied. Give it the next number.`,
      );
    if (applied !== undefined && applied !== checksum)
      throw new StartError(
        `Migration ${name} was changed after it was applied to this database. Restore the file and add a new migration.`,
      );
  }
  const unknown = [...recorded.keys()].find((path) => files.every((file) => file.path !== path));
  if (unknown !== undefined)
    throw new StartError(
      `This database has migration ${unknown.slice(FOLDER.length)}, which this version does not know: a newer one has used it.`,
    );
  return files.filter(({ path }) => !recorded.has(path));
}

/** Runs migrations in one transaction and records them. Returns their names. */
export async function applyMigrations(pool: pg.Pool, migrations: readonly Migration[]): Promise<string[]> {
  if (migrations.length === 0) return [];
  return inTransaction(pool, async (client) => {
    for (const { name, text } of migrations)
      await client.query(text).catch((error: unknown) => Promise.reject(explain(`migration ${name}`, error)));
    await recordAll(client, migrations);
    return migrations.map(({ name }) => name);
  });
}

/** Returns what is wrong with a folder of migrations: edited, missing or unrecorded files, and numbers used twice. */
export async function findUnfrozen(migrationsDir: string): Promise<string[]> {
  const { checksums } = await readHistory(migrationsDir);
  const current = await checksumAll(migrationsDir);
  const problems: string[] = [];
  const byNumber = new Map<string, string>();
  for (const name of new Set([...Object.keys(current), ...Object.keys(checksums)].sort())) {
    const taken = byNumber.get(name.slice(0, 4));
    if (current[name] === undefined) problems.push(`${name}: a checksum, but no file.`);
    else if (taken !== undefined) problems.push(`${name}: its number is taken by ${taken}.`);
    else if (checksums[name] === undefined) problems.push(`${name}: no checksum. Run npm run gen.`);
    else if (checksums[name] !== current[name])
      problems.push(`${name}: its text differs from its checksum. Restore it and add a new migration.`);
    byNumber.set(name.slice(0, 4), name);
  }
  return problems;
}

/** Returns the text of `history.json` with a checksum for each new migration; recorded checksums stay as they are. */
export async function freezeMigrations(migrationsDir: string): Promise<string> {
  const history = await readHistory(migrationsDir);
  const all = { ...(await checksumAll(migrationsDir)), ...history.checksums };
  const checksums = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ checksums }, null, 2)}\n`;
}

async function checksumAll(migrationsDir: string): Promise<Record<string, string>> {
  return Object.fromEntries((await readMigrations(migrationsDir)).map(({ name, checksum }) => [name, checksum]));
}

/** Forward-only: `NNNN-name.sql` files, in the order of their numbers. */
async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (file) => {
      const name = file.replace(/\.sql$/, '');
      const text = await readFile(join(dir, file), 'utf8');
      return { name, path: FOLDER + name, text, checksum: checksumOf(text) };
    }),
  );
}
