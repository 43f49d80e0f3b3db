import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { checksumOf, readLedger, record, recordAll } from './migration-history.ts';
import { explain, inOneGo, inTransaction, runFiles } from './run-files.ts';

/** A file of `functions/`: one function or a small family, with its grants and triggers. */
type RoutineFile = { path: string; text: string; checksum: string; names: string[] };

const BASE = 'functions/base/';
const ALL = 'functions/';

/** Applies the functions that migrations call, where their text has changed. Returns the paths that were applied. */
export async function applyBaseRoutines(pool: pg.Pool, dir: string): Promise<string[]> {
  const files = (await readRoutines(dir)).filter((file) => file.path.startsWith(BASE));
  return inTransaction(pool, (client) => applyChanged(client, files));
}

/**
 * Applies every function whose text has changed, and drops functions and triggers that no file declares any more: the files are the truth.
 * Returns the paths that were applied.
 */
export async function applyRoutines(pool: pg.Pool, dir: string): Promise<string[]> {
  const files = await readRoutines(dir);
  if (files.length === 0) return [];
  return inTransaction(pool, async (client) => {
    const applied = await applyChanged(client, files);
    const isUnchanged = applied.length === 0 && (await readLedger(client, ALL)).size === files.length;
    if (!isUnchanged) {
      await dropUndeclared(client, files);
      await validateAll(client);
    }
    return applied;
  });
}

async function readRoutines(dir: string): Promise<RoutineFile[]> {
  const names = await readdir(dir, { recursive: true }).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(dir, path), 'utf8');
      return { path: ALL + path, text, checksum: checksumOf(text), names: declaredNames(text) };
    }),
  );
}

/** Returns the names of the functions, procedures and aggregates that a text creates. */
export function declaredNames(text: string): string[] {
  return [...text.matchAll(/^create or replace (?:function|procedure|aggregate) (\w+)\(/gm)].map((match) => match[1] ?? '');
}

async function applyChanged(client: pg.PoolClient, files: readonly RoutineFile[]): Promise<string[]> {
  const recorded = await readLedger(client, ALL);
  const changed = files.filter((file) => recorded.get(file.path) !== file.checksum);
  // Bodies may name functions of files that come later; `validateAll` checks them once all are there.
  if (changed.length > 0) await client.query('set local check_function_bodies = off');
  if (await isNew(client, changed)) {
    await runFiles(client, changed);
    await recordAll(client, changed);
  } else {
    for (const file of changed) {
      await applyFile(client, file);
      await record(client, file.path, file.checksum);
    }
  }
  return changed.map((file) => file.path);
}

type Existing = { kind: 'routine' | 'trigger'; oid: string; version: string; name: string; parent: string };

/** The functions of these names and the triggers that call them. `version` changes whenever one is written. */
const FIND_EXISTING = `
  select 'routine' as kind, p.oid, p.xmin::text as version, p.oid::regprocedure::text as name, '' as parent
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any($1)
  union all
  select 'trigger', t.oid, t.xmin::text, quote_ident(t.tgname), t.tgrelid::regclass::text
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where p.pronamespace = 'public'::regnamespace and p.proname = any($1) and not t.tgisinternal and t.tgparentid = 0
  order by kind desc`;

/** Whether nothing that the files declare is there yet, as in a new database: then nothing has to be reset or dropped, and all run in one round trip. */
async function isNew(client: pg.PoolClient, files: readonly RoutineFile[]): Promise<boolean> {
  if (files.length < 2) return false;
  return (await client.query(FIND_EXISTING, [files.flatMap((file) => file.names)])).rowCount === 0;
}

/** Runs a file. A replaced routine starts from default rights, and a routine that the file no longer creates is dropped. */
async function applyFile(client: pg.PoolClient, file: RoutineFile): Promise<void> {
  await resetRights(client, file.names);
  const before = (await client.query<Existing>(FIND_EXISTING, [file.names])).rows;
  await client.query('savepoint file');
  try {
    await client.query(file.text);
  } catch (error) {
    if (!isSignatureChange(error)) throw explain(file.path, error);
    await client.query('rollback to savepoint file');
    await drop(client, before);
    await client.query(file.text).catch((again: unknown) => Promise.reject(explain(file.path, again)));
  }
  const after = (await client.query<Existing>(FIND_EXISTING, [file.names])).rows;
  await drop(
    client,
    after.filter((one) => before.some((old) => old.kind === one.kind && old.oid === one.oid && old.version === one.version)),
  );
}

/** Grants of an earlier text must not outlive it: each function is back at the default, which the file narrows again. */
async function resetRights(client: pg.PoolClient, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; roles: string | null }>(
    `select p.oid::regprocedure::text as name, (select string_agg(quote_ident(r.rolname), ', ') from aclexplode(p.proacl) a
       join pg_roles r on r.oid = a.grantee where a.grantee <> p.proowner) as roles
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any($1)`,
    [names],
  );
  for (const { name, roles } of rows) {
    if (roles) await client.query(`revoke all on routine ${name} from ${roles}`);
    await client.query(`grant execute on routine ${name} to public`);
  }
}

async function dropUndeclared(client: pg.PoolClient, files: readonly RoutineFile[]): Promise<void> {
  const { rows } = await client.query<{ proname: string }>(
    `select distinct proname from pg_proc where pronamespace = 'public'::regnamespace and proowner = current_user::regrole and proname <> all($1)`,
    [files.flatMap((file) => file.names)],
  );
  const undeclared = rows.map((row) => row.proname);
  await drop(client, (await client.query<Existing>(FIND_EXISTING, [undeclared])).rows);
  await client.query('delete from applied.file where starts_with(path, $1) and path <> all($2)', [ALL, files.map((file) => file.path)]);
}

/** Drops triggers before the functions they call. */
async function drop(client: pg.PoolClient, found: readonly Existing[]): Promise<void> {
  for (const one of found.filter(({ kind }) => kind === 'trigger')) await client.query(`drop trigger ${one.name} on ${one.parent}`);
  for (const one of found.filter(({ kind }) => kind === 'routine')) await client.query(`drop routine ${one.name}`);
}

/** Checks the bodies of all functions; aggregates have none. */
async function validateAll(client: pg.PoolClient): Promise<void> {
  await client.query('set local check_function_bodies = on');
  const { rows } = await client.query<{ name: string; validator: string }>(
    `select p.oid::regprocedure::text as name, l.lanvalidator::regproc::text as validator from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and p.proowner = current_user::regrole and p.prokind <> 'a'`,
  );
  const check = ({ name, validator }: { name: string; validator: string }): string =>
    `select ${validator}(${client.escapeLiteral(name)}::regprocedure)`;
  await inOneGo(client, rows.map(check).join(';'), async () => {
    for (const row of rows) await client.query(check(row)).catch((error: unknown) => Promise.reject(explain(row.name, error)));
  });
}

/** 42P13: the server replaces a function only with the same return type and parameter names. 42725: a grant by name found the old one too. */
function isSignatureChange(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P13' || error.code === '42725');
}
