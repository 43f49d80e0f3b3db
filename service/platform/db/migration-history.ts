import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';

/** `history.json` beside the migrations: the checksum that freezes each file, renamed files, and removed ones with the reason. */
const historySchema = z.object({
  checksums: z.record(z.string(), z.string()).default({}),
  renamed: z.record(z.string(), z.string()).default({}),
  removed: z.record(z.string(), z.string()).default({}),
});
export type MigrationHistory = z.infer<typeof historySchema>;

/** Returns the history of a folder of migrations; an empty one when the file is missing. */
export async function readHistory(migrationsDir: string): Promise<MigrationHistory> {
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

/** Records the checksum of an applied file. */
export async function record(db: pg.Pool | pg.PoolClient, path: string, checksum: string): Promise<void> {
  await db.query(
    'insert into applied.file (path, checksum) values ($1, $2) on conflict (path) do update set checksum = excluded.checksum, at = now()',
    [path, checksum],
  );
}

/** Renames and removes recorded names as the history says, so that a database of an older version matches the files. */
export async function followHistory(pool: pg.Pool, { renamed, removed }: MigrationHistory): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('public.kysely_migration') is not null as exists`);
  if (!rows[0]?.exists) return;
  for (const [from, to] of Object.entries(renamed)) await pool.query('update kysely_migration set name = $2 where name = $1', [from, to]);
  await pool.query('delete from kysely_migration where name = any($1)', [Object.keys(removed)]);
}

/** Returns the name of an applied migration whose file has another text than the database applied. Databases that recorded no checksum pass. */
export async function findChangedMigration(pool: pg.Pool, migrationsDir: string): Promise<string | undefined> {
  for (const [path, checksum] of await readLedger(pool, 'migrations/')) {
    const name = path.slice('migrations/'.length);
    const text = await readFile(join(migrationsDir, `${name}.sql`), 'utf8').catch(() => null);
    if (text !== null && checksumOf(text) !== checksum) return name;
  }
  return undefined;
}

/** Records the checksums of migrations that were just applied. */
export async function recordMigrations(pool: pg.Pool, migrationsDir: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    await record(pool, `migrations/${name}`, checksumOf(await readFile(join(migrationsDir, `${name}.sql`), 'utf8')));
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
  return `${JSON.stringify({ ...history, checksums }, null, 2)}\n`;
}

async function checksumAll(migrationsDir: string): Promise<Record<string, string>> {
  const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  const entries = files.map(async (name) => [name.replace(/\.sql$/, ''), checksumOf(await readFile(join(migrationsDir, name), 'utf8'))]);
  return Object.fromEntries(await Promise.all(entries));
}
