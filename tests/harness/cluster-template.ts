import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { prepareDatabase } from '@partner-portal/service/platform/db/migrate.ts';
import { exclusively } from './lock-file.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PREFIX = `portal-cluster-${createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 10)}-`;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Puts a migrated Postgres cluster and compiled engine code into a fresh data folder, so that a start needs no initdb, no migrations and no
 * compiler. The first start of an installation has tests of its own (start-errors.test.ts).
 */
export async function fillDataDir(dataDir: string): Promise<void> {
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o755 });
  await copyCluster(join(dataDir, 'postgres'));
  const compiled = join(ROOT, 'node_modules', '.cache', 'compiled-engine');
  mkdirSync(compiled, { recursive: true });
  symlinkSync(compiled, join(dataDir, 'compiled'));
}

/** Puts a cluster whose database `portal` is migrated into this folder, as `cluster`. */
export async function copyCluster(folder: string): Promise<void> {
  copy(join(await openTemplate(), 'cluster'), join(folder, 'cluster'));
}

/** Returns the folder of the template, creating it first when the schema has changed: one process does, the others wait for it. */
async function openTemplate(): Promise<string> {
  const template = join(tmpdir(), `${PREFIX}${hashSchema()}`);
  if (existsSync(template)) return template;
  return exclusively(join(tmpdir(), `${PREFIX}lock`), async () => (existsSync(template) ? template : createTemplate(template)));
}

async function createTemplate(template: string): Promise<string> {
  const draft = mkdtempSync(join(tmpdir(), `${PREFIX}draft-`));
  chmodSync(draft, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: draft, log: quiet, settings: { fsync: 'off' } });
  try {
    await prepareDatabase(server, 'portal');
  } finally {
    await server.stop();
  }
  for (const name of readdirSync(tmpdir())) if (isOutdated(name)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  renameSync(draft, template);
  return template;
}

function isOutdated(name: string): boolean {
  return name.startsWith(PREFIX) && !/-(lock|draft-.*)$/.test(name) && name !== basename(`${PREFIX}${hashSchema()}`);
}

/** Returns a hash of everything that decides what a prepared database contains. */
export function hashSchema(): string {
  const hash = createHash('sha256');
  const files = globSync(['service/schema/**/*.{sql,json}', 'service/platform/db/!(*.test).ts'], { cwd: ROOT });
  for (const file of [...files.toSorted(), 'package-lock.json']) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Keeps owner and modes: the server refuses a cluster of another account. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', '--reflink=auto', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The cluster was not copied: ${stderr}`);
}
