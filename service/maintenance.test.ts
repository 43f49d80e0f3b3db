import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { addSeats, type Seat } from '@partner-portal/tests/harness/scale-rows.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import pg from 'pg';
import { maintenance } from './maintenance.ts';
import { ADMIN_ROLE } from './platform/db/embedded.ts';
import { createPool } from './platform/db/pool.ts';
import { createDatabase } from './platform/db/tx.ts';

/** Partitions are made online: a statement that waits for the lock of a whole table blocks every statement after it. */

const ROUND = 'a round';
let database: TestDatabase;
let watcher: pg.Client;
let pool: pg.Pool;
let seat: Seat;
let maintainPartitions: () => Promise<void>;
const clients: pg.Client[] = [];

before(async () => {
  database = await createTestDatabase();
  watcher = await connect();
  seat = (await addSeats(async (text, values = []) => (await watcher.query(text, values)).rows)).small;
  // Nothing but its own limit ends what the job waits for.
  pool = createPool(database.configFor('portal_service'), { name: ROUND, max: 1, statementTimeoutMs: 600_000 });
  ({ maintainPartitions } = maintenance({ db: createDatabase(pool) }));
});
beforeEach(() => maintainPartitions());
afterEach(async () => {
  for (const client of clients.splice(1)) await client.end();
});
after(async () => {
  await pool?.end();
  await watcher?.end();
  await database?.drop();
});

/** A session whose statements wait a minute at most. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ ...database.configFor(ADMIN_ROLE), statement_timeout: 60_000 });
  await client.connect();
  clients.push(client);
  return client;
}

/** A transaction that has done this, and stays open. */
async function holdOpen(...statements: string[]): Promise<pg.Client> {
  const client = await connect();
  for (const text of ['begin isolation level repeatable read', ...statements]) await client.query(text);
  return client;
}

async function partitionsOfRuns(): Promise<string[]> {
  const { rows } = await watcher.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'execution'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Drops the partitions of these months, counted from this one, and returns their names. */
async function dropMonths(from: number, to: number, table = 'execution'): Promise<string[]> {
  const { rows } = await watcher.query<{ name: string }>(
    `select $3 || to_char(date_trunc('month', now()) + make_interval(months => n), '_YYYY_MM') as name from generate_series($1::int, $2) n`,
    [from, to, table],
  );
  const names = rows.map(({ name }) => name);
  await watcher.query(`drop table if exists ${names.join()}`);
  return names;
}

/** The session of the job when it waits for a table. */
async function waitingRound(): Promise<number | undefined> {
  const { rows } = await watcher.query<{ pid: number }>(
    `select a.pid from pg_locks l join pg_stat_activity a using (pid)
     where a.datname = $1 and a.application_name = $2 and l.locktype = 'relation' and not l.granted`,
    [database.name, ROUND],
  );
  return rows[0]?.pid;
}

/** Begins a round that is seen to wait for a table: one may have given up before it is looked at. */
function beginWaitingRound(): Promise<{ pid: number; ended: Promise<void> }> {
  return until('a round waits for a table', async () => {
    let isUnderWay = true;
    const ended = maintainPartitions().finally(() => (isUnderWay = false));
    while (isUnderWay) {
      const pid = await waitingRound();
      if (pid !== undefined) return { pid, ended };
    }
    await ended;
    return undefined;
  });
}

/** A caller adds a run and reads all; returns the partition that it is in. */
async function addRun(caller: pg.Client): Promise<string> {
  const { rows } = await caller.query<{ partition: string }>(
    `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, due_at)
     values (uuidv7(), $1, $2, $3, 'RUNNING', 'ingest', 'Texted the caller', 1, 1, 0, now(), now()) returning tableoid::regclass::text as partition`,
    [seat.partnerId, seat.clientId, seat.workflowId],
  );
  await caller.query('select count(*) from execution');
  return rows[0]?.partition ?? '';
}

describe('partitions of the next months', () => {
  it('are given up while a transaction is open that read or wrote the table, keep no other caller waiting for it, and are made in the first round after it', async () => {
    const missing = await dropMonths(2, 3);
    const present = await partitionsOfRuns();
    const caller = await connect();
    const reader = await holdOpen('select count(*) from execution');
    const writer = await holdOpen('select count(*) from execution', `update execution set summary = 'Called back'`);
    for (const held of [writer, reader]) {
      const round = await beginWaitingRound();
      // The transaction is open still: did the job wait for its end, this would wait with it until its own limit.
      await addRun(caller);
      await round.ended;
      await addRun(caller);
      assert.deepEqual(await partitionsOfRuns(), present);
      await held.query('commit');
    }
    await maintainPartitions();
    const made = await partitionsOfRuns();
    assert.deepEqual(
      missing.filter((name) => !made.includes(name)),
      [],
    );
  });
});

describe('a table whose partitions cannot be made', () => {
  it('keeps no other from its own, and fails the round', async () => {
    await dropMonths(2, 3, 'audit_entry');
    const missing = await dropMonths(2, 3);
    // A clock that was wrong: the row of a coming month is in the default partition.
    await watcher.query(
      `insert into audit_entry (id, partner_id, actor_type, action) values (uuidv7(make_interval(months => 2)), $1, 'system', 'agent.changed')`,
      [seat.partnerId],
    );
    await assert.rejects(maintainPartitions(), /default partition/);
    const made = await partitionsOfRuns();
    assert.deepEqual(
      missing.filter((name) => !made.includes(name)),
      [],
    );
    await watcher.query(
      'alter table audit_entry disable trigger user; delete from audit_entry_other; alter table audit_entry enable trigger user',
    );
  });
});

describe('the partition of this month', () => {
  it('is waited for, also by those who add rows: in the default partition they would keep it from ever being made', async () => {
    const missing = await dropMonths(0, 3);
    const reader = await holdOpen('select count(*) from execution');
    const round = await beginWaitingRound();
    const added = addRun(await connect());
    await until('the caller waits for the round, which has waited longer than for other months', async () => {
      const { rowCount } = await watcher.query(
        `select from pg_locks round, pg_locks caller
         where round.pid = $1 and not round.granted and round.waitstart < clock_timestamp() - interval '1 second'
           and not caller.granted and round.pid = any (pg_blocking_pids(caller.pid))`,
        [round.pid],
      );
      return rowCount === 1;
    });
    await reader.query('commit');
    await round.ended;
    assert.ok(missing.includes(await added));
  });
});
