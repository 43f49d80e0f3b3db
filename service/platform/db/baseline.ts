import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { checksumOf, readLedger, record } from './migration-history.ts';
import { explain, inTransaction, runFiles, type SchemaFile } from './run-files.ts';

/**
 * `baseline.json`: the files of `tables/`, in the order in which they are run, the last migration of version 0.2.0, after which its upgrade begins, and the
 * checksum that freezes the files together. A change of a table
 * is a migration; the files say what the tables were when migrations began again at 0001.
 */
const baselineSchema = z.object({ order: z.array(z.string()), upgradesAfter: z.string(), checksum: z.string().optional() });
type Baseline = { files: SchemaFile[]; checksum: string; frozen: string | undefined; order: string[]; upgradesAfter: string };

/** A part of an upgrade, named after the migration that it was. */
export type UpgradeStep = { name: string; text: string };

const PATH = 'baseline';
const BASELINE_FILE = 'baseline.json';
const UPGRADE_FILE = join('upgrades', '0.2.0.sql');

/** Returns the tables that a new database begins with; null for a schema folder without them. */
export async function readBaseline(schemaDir: string): Promise<Baseline | null> {
  const text = await readFile(join(schemaDir, BASELINE_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  const { order, upgradesAfter, checksum } = baselineSchema.parse(JSON.parse(text));
  const files = await Promise.all(
    order.map(async (name) => ({ path: `tables/${name}.sql`, text: await readFile(join(schemaDir, 'tables', `${name}.sql`), 'utf8') })),
  );
  return {
    files,
    order,
    upgradesAfter,
    frozen: checksum,
    checksum: checksumOf(files.map((file) => `${file.path}\n${file.text}`).join('')),
  };
}

/** Returns the text of `baseline.json` with the checksum of the files, unless it has one: a frozen baseline stays as it is. */
export async function freezeBaseline(schemaDir: string): Promise<string> {
  const baseline = await readBaseline(schemaDir);
  if (!baseline) throw new Error(`${schemaDir} has no ${BASELINE_FILE}`);
  return `${JSON.stringify({ order: baseline.order, upgradesAfter: baseline.upgradesAfter, checksum: baseline.frozen ?? baseline.checksum }, null, 2)}\n`;
}

/** Returns what is wrong with the frozen tables: files without a place in the order, and texts that were edited. */
export async function findUnfrozenTables(schemaDir: string): Promise<string[]> {
  const baseline = await readBaseline(schemaDir);
  const names = (await readdir(join(schemaDir, 'tables'))).filter((name) => name.endsWith('.sql')).sort();
  const problems = names
    .filter((name) => !baseline?.order.includes(name.replace(/\.sql$/, '')))
    .map((name) => `tables/${name}: not in the order of ${BASELINE_FILE}.`);
  if (baseline && baseline.frozen !== baseline.checksum)
    problems.push(`tables/: the text differs from the checksum in ${BASELINE_FILE}. Restore it and add a migration.`);
  return problems;
}

/** What a database lacks of the baseline: all tables, or the steps of the upgrade that it has not applied yet. */
export type BaselinePlan = { checksum: string; tables: SchemaFile[] } | { checksum: string; steps: UpgradeStep[] };

/**
 * Returns what `applyBaseline` has to do for a new database, or for one of version 0.2.0 or of the time since; null for one that has the baseline.
 * Throws `StartError` for a database before 0.2.0, and when the files are not those that were applied.
 */
export async function planBaseline(pool: pg.Pool, schemaDir: string): Promise<BaselinePlan | null> {
  const baseline = await readBaseline(schemaDir);
  if (!baseline) return null;
  const { checksum, files } = baseline;
  const recorded = (await readLedger(pool, PATH)).get(PATH);
  if (recorded === checksum) return null;
  if (recorded !== undefined)
    throw new StartError('A file in schema/tables/ was changed after it was applied to this database. Restore it and add a new migration.');
  const names = await listMigrations(pool);
  if (names.length === 0) return { checksum, tables: files };
  if (!names.includes(baseline.upgradesAfter))
    throw new StartError('This database is of a version before 0.2.0, from which there is no upgrade (docs/upgrading.md).');
  return { checksum, steps: (await readUpgrade(schemaDir)).filter((step) => !names.includes(step.name)) };
}

/** Creates the tables, or runs the steps and begins a new history of migrations. Returns the names of what was run. */
export async function applyBaseline(pool: pg.Pool, plan: BaselinePlan | null): Promise<string[]> {
  if (!plan) return [];
  return inTransaction(pool, async (client) => {
    if ('tables' in plan) await runFiles(client, plan.tables);
    else await upgrade(client, plan.steps);
    await record(client, PATH, plan.checksum);
    return 'tables' in plan ? [PATH] : [...plan.steps.map((step) => step.name), PATH];
  });
}

async function upgrade(client: pg.PoolClient, steps: readonly UpgradeStep[]): Promise<void> {
  for (const { name, text } of steps)
    await client.query(text).catch((error: unknown) => Promise.reject(explain(`step ${name} of ${UPGRADE_FILE}`, error)));
  // Table in which versions before 1.0.0 recorded their migrations, besides applied.file.
  await client.query('drop table kysely_migration, kysely_migration_lock');
  await client.query(`delete from applied.file where starts_with(path, 'migrations/')`);
}

/** Returns the steps from version 0.2.0 to the baseline. Each begins with a line `-- step <name>`. */
export async function readUpgrade(schemaDir: string): Promise<UpgradeStep[]> {
  const text = await readFile(join(schemaDir, UPGRADE_FILE), 'utf8');
  return text
    .split(/^-- step /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { name: part.slice(0, end), text: part.slice(end + 1) };
    });
}

async function listMigrations(client: pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public.kysely_migration') is not null as exists`);
  if (!rows[0]?.exists) return [];
  const names = await client.query<{ name: string }>('select name from kysely_migration');
  return names.rows.map((row) => row.name);
}
