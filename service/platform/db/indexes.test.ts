import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import pg from 'pg';
import { createLog } from '../log.ts';
import { ADMIN_ROLE } from './embedded.ts';
import { buildIndexes, type DeclaredIndex, readIndexes } from './indexes.ts';
import { SCHEMA_DIR } from './migrate.ts';

/** Indexes that an update adds to large tables are built online: nothing waits for them, and a half-built index is built again. */

const INDEXES: DeclaredIndex[] = [
  { name: 'run_source', table: 'run', rest: `(source, id desc) where source <> 'ingest'` },
  { name: 'note_text', table: 'note', rest: '(text)' },
];
const log = createLog('silent');
let database: TestDatabase;
let admin: pg.Client;
/** Sees what sessions of all roles do, unlike the owner of the tables. */
let watcher: pg.Client;

before(async () => {
  database = await createTestDatabase();
  admin = await connect();
  watcher = await connect();
  await watcher.query('reset role');
});
after(async () => {
  await admin?.end();
  await watcher?.end();
  await database?.drop();
});
beforeEach(() =>
  admin.query(`set role portal_owner; drop table if exists run, note;
    create table run (id int, source text) partition by range (id);
    create table run_1 partition of run for values from (0) to (100); create table run_2 partition of run for values from (100) to (200);
    create table note (text text);
    insert into run select n, 'schedule' from generate_series(0, 199) n; insert into note select 'a text' from generate_series(1, 10)`),
);

const stopping: AbortController[] = [];
const holders: pg.Client[] = [];
afterEach(async () => {
  for (const one of stopping.splice(0)) one.abort();
  for (const holder of holders.splice(0)) await holder.end();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.configFor(ADMIN_ROLE));
  client.on('error', () => undefined);
  await client.connect();
  await client.query('set role portal_owner');
  return client;
}

function build(stop = new AbortController()): Promise<void> {
  stopping.push(stop);
  return buildIndexes({ host: database.host, database: database.name, indexes: INDEXES, log, signal: stop.signal, retryMs: 20 });
}

/** Every index of the two tables, with whether it is usable. */
async function built(): Promise<Record<string, boolean>> {
  const { rows } = await admin.query<{ name: string; valid: boolean }>(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in (select oid from pg_class where relname ~ '^(run|note)(_[0-9])?$' and relnamespace = 'public'::regnamespace) order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}
const ALL = { note_text: true, run_1_run_source: true, run_2_run_source: true, run_source: true };

/** Resolves with the session that builds this index, or drops what is left of it, and waits for a transaction that is open. */
function isBuilding(name: string, before = 0): Promise<number> {
  return until('it is building', async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and application_name = 'portal indexes' and wait_event_type = 'Lock' and pid <> $3
         and query ~ ('index concurrently (if exists )?' || $2)`,
      [database.name, name, before],
    );
    return rows[0]?.pid;
  });
}

/** A transaction that a build waits for: it has written to `note`, or reads an older state of the database. */
async function holdOpen(how: 'writes' | 'reads'): Promise<{ commit(): Promise<unknown> }> {
  const holder = await connect();
  holders.push(holder);
  await holder.query(how === 'writes' ? 'begin' : 'begin isolation level repeatable read');
  await holder.query(how === 'writes' ? `insert into note values ('held')` : 'select from note');
  return { commit: () => holder.query('commit') };
}

describe('indexes of large tables', () => {
  it('are read from the schema, each statement of it', async () => {
    const declared = await readIndexes(SCHEMA_DIR);
    assert.ok(declared.length > 5);
    const { rows } = await admin.query('select from pg_index i where i.indexrelid = any ($1::regclass[]) and i.indisvalid', [
      declared.map(({ name }) => name),
    ]);
    assert.equal(rows.length, declared.length, 'a new database has all of them');
  });

  it('are built for every partition and are usable then; a second time changes nothing', async () => {
    await build();
    assert.deepEqual(await built(), ALL);
    await build();
    assert.deepEqual(await built(), ALL);
  });

  it('let rows be written while they are built, and a partition that is made meanwhile has them', async () => {
    const held = await holdOpen('reads');
    const building = build();
    await isBuilding('run_2_run_source');
    await admin.query(`set lock_timeout = '10s'; insert into run values (5, 'schedule'), (151, 'ingest'); insert into note values ('meanwhile');
      create table run_3 partition of run for values from (200) to (300); reset lock_timeout`);
    await held.commit();
    await building;
    const found = await built();
    assert.deepEqual(Object.values(found), [true, true, true, true, true], JSON.stringify(found));
    const { rows } = await admin.query(`select from pg_inherits where inhparent = 'run_source'::regclass`);
    assert.equal(rows.length, 3);
  });

  it('are finished by the next round when the one that built was killed', async () => {
    const held = await holdOpen('writes');
    const building = build();
    const pid = await isBuilding('note_text');
    await watcher.query('select pg_terminate_backend($1)', [pid]);
    // The next round drops what is left of it, and waits for the same transaction.
    await isBuilding('note_text', pid);
    await held.commit();
    await building;
    assert.deepEqual(await built(), ALL);
  });

  it('are built by one of two processes, and by the other when that one stops', async () => {
    const held = await holdOpen('writes');
    const stop = new AbortController();
    const first = build(stop);
    const pid = await isBuilding('note_text');
    const second = build();
    stop.abort();
    await first;
    assert.notEqual((await built())['note_text'], true);
    await isBuilding('note_text', pid);
    await held.commit();
    await second;
    assert.deepEqual(await built(), ALL);
  });

  it('are built again when the partition that had none was dropped', async () => {
    await admin.query(`create index run_source on only run (source, id desc) where source <> 'ingest';
      create index run_1_run_source on run_1 (source, id desc) where source <> 'ingest'; alter index run_source attach partition run_1_run_source; drop table run_2`);
    assert.equal((await built())['run_source'], false);
    await build();
    assert.deepEqual(await built(), { note_text: true, run_1_run_source: true, run_source: true });
  });
});
