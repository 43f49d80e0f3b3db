import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import type pg from 'pg';
import { fillDataDir } from '../harness/cluster-template.ts';
import { makeDataDir } from '../harness/data-folder.ts';
import { addEndpoint, publishInvitedIn, type Receiver, startReceiver } from '../harness/deliveries.ts';
import { until } from '../harness/system.ts';
import { addPartner } from '../harness/world.ts';
import { isFull } from '../harness/full.ts';
import { killWorker } from './kill-worker.ts';

// A committed event is delivered to every endpoint, and again only when an attempt started whose end is not recorded.

/** Every fifth is certain to meet an attempt. */
const KILLS = isFull ? 100 : 5;
const KILLS_OF_POSTGRES = isFull ? 3 : 1;
const DATABASE = 'portal';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let server: EmbeddedPostgres;
let dataDir: string;
let receiver: Receiver;
let pool: pg.Pool;
let db: Database;
const partners: string[] = [];
const workers = new Set<ChildProcess>();

before(async () => {
  dataDir = makeDataDir();
  await fillDataDir(dataDir);
  server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: quiet });
  pool = createPool(server.configFor('portal_service', DATABASE), { name: 'faults', max: 6, onIdleError: () => undefined });
  db = createDatabase(pool);
  receiver = await startReceiver();
  await db.asSystem('seed', async (tx) => {
    const plan = await tx.selectFrom('plan').select('id').where('name', '=', 'Growth').executeTakeFirstOrThrow();
    for (let n = 0; n < 4; n += 1) {
      const partnerId = await addPartner(tx, { name: `Agency ${n}`, slug: `agency-${n}`, planId: plan.id });
      partners.push(partnerId);
      for (let m = 0; m <= n % 2; m += 1) await addEndpoint(tx, { partnerId, url: `${receiver.origin}/${n}-${m}` });
    }
  });
});
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await receiver?.close();
  await pool?.end();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  withClient({ ...server.adminConfig, database: DATABASE }, async (client) => (await client.query<Row>(text, values)).rows);

/** Starts a worker that waits for `go`. */
async function prepareWorker(): Promise<ChildProcess> {
  const worker = fork(new URL('delivery-worker.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: process.env,
  });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  worker.send({ address: server.configFor('portal_service', DATABASE) });
  await once(worker, 'message');
  return worker;
}

/** Publishes until it is stopped; returns the ids of events whose commit was confirmed. */
function publishSteadily(gapMs: number): { committed: string[]; stop(): Promise<void> } {
  const committed: string[] = [];
  let isOn = true;
  const loop = async (): Promise<void> => {
    for (let n = 0; isOn; n += 1) {
      const partnerId = partners[n % partners.length] ?? '';
      try {
        committed.push(
          ...(await db.asSystem('seed', async (tx) => {
            const ids: string[] = [];
            for (let m = 0; m <= n % 3; m += 1) ids.push(await publishInvitedIn(tx, partnerId, 'pat@example.com'));
            return ids;
          })),
        );
      } catch {
        await delay(20);
      }
      await delay(gapMs);
    }
  };
  const done = loop();
  return {
    committed,
    stop: () => {
      isOn = false;
      return done;
    },
  };
}

type Facts = {
  events: number;
  missing: number;
  pairs: number;
  undelivered: number;
  doubled: number;
  overcounted: number;
  interrupted: number;
  open: number;
};
const FACTS = `with sent as (
    select d.id, d.event_id, d.endpoint_id, d.status, d.attempt_count, d.interrupted_count from delivery d
  ), wanted as (
    select e.id as event_id, w.id as endpoint_id from event e join webhook_endpoint w on w.partner_id = e.partner_id
  )
  select (select count(*)::int from event) as events,
    (select count(*)::int from wanted w where not exists (select from sent s where s.event_id = w.event_id and s.endpoint_id = w.endpoint_id)) as missing,
    (select count(*)::int from sent) as pairs,
    (select count(*)::int from sent where status <> 'delivered') as undelivered,
    (select count(*)::int from (select 1 from sent group by event_id, endpoint_id having count(*) > 1) x) as doubled,
    (select count(*)::int from sent where attempt_count <> 1 + greatest(0, interrupted_count - 3)) as overcounted,
    (select coalesce(sum(interrupted_count), 0)::int from sent) as interrupted,
    (select count(*)::int from delivery_queue) + (select count(*)::int from event where due_at is not null) as open`;

const look = async (): Promise<Facts> => {
  const [facts] = await query<Facts>(FACTS);
  assert.ok(facts);
  return facts;
};

/** Everything committed is delivered, and what the receivers got agrees with the records. */
async function assertNothingLost(context: TestContext, committed: readonly string[]): Promise<Facts> {
  await until('everything is delivered', async () => (await look()).open === 0);
  const facts = await look();
  assert.deepEqual(
    { missing: facts.missing, undelivered: facts.undelivered, doubled: facts.doubled, overcounted: facts.overcounted },
    { missing: 0, undelivered: 0, doubled: 0, overcounted: 0 },
  );
  const known = await query<{ id: string }>('select id from event where id = any($1)', [committed]);
  assert.equal(known.length, committed.length, 'every confirmed commit exists');
  const got = new Map<string, number>();
  for (const { path, body } of receiver.received) got.set(`${path} ${body}`, (got.get(`${path} ${body}`) ?? 0) + 1);
  const records = await query<{ path: string; body: string; interrupted: number }>(
    `select '/' || split_part(w.url, '/', 4) as path, d.body, d.interrupted_count as interrupted from delivery d join webhook_endpoint w on w.id = d.endpoint_id`,
  );
  assert.equal(records.length, got.size, 'what was received was on record, and what is on record was received');
  let repeats = 0;
  for (const { path, body, interrupted } of records) {
    const times = got.get(`${path} ${body}`) ?? 0;
    repeats += times - 1;
    assert.ok(times >= 1 && times <= 1 + interrupted, `received ${times} times with ${interrupted} attempts cut off`);
  }
  context.diagnostic(`${facts.events} events, ${facts.pairs} deliveries, ${facts.interrupted} attempts cut off, ${repeats} received again`);
  return facts;
}

describe('the sender', () => {
  it(`killed at ${KILLS} random moments under load loses nothing, and repeats only attempts that had started`, async (context) => {
    let seed = 20_260_401;
    const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
    let heard: (() => void) | undefined;
    receiver.answer = (_request, response) => {
      // A worker that is killed now does not read the response.
      if (heard) heard();
      else setTimeout(() => response.end(), random(25));
    };
    const load = publishSteadily(25);
    let spare = prepareWorker();
    for (let turn = 0; turn < KILLS; turn += 1) {
      const worker = await spare;
      spare = prepareWorker();
      // The leases of the dead are over: as half a minute later.
      await query("update delivery_queue set due_at = now() - interval '1 second' where claimed_by is not null");
      const inTheMiddle = Promise.withResolvers<void>();
      if (turn % 5 === 4) heard = inTheMiddle.resolve;
      worker.send('go');
      // Wherever it is by then; every fifth has begun an attempt for sure, however slow the machine is.
      await (heard ? inTheMiddle.promise : delay(20 + random(120)));
      await killWorker(worker);
      heard = undefined;
    }
    await load.stop();
    const last = await spare;
    await query("update delivery_queue set due_at = now() - interval '1 second' where claimed_by is not null");
    last.send('go');
    const facts = await assertNothingLost(context, load.committed);
    assert.ok(facts.interrupted > 0, 'some died in the middle of an attempt');
    await killWorker(last);
  });
});

describe('Postgres, killed under load', () => {
  it('restarts by itself: nothing is lost, and no attempt counts against an endpoint', async (context) => {
    const held: (() => void)[] = [];
    let isHolding = false;
    receiver.answer = (_request, response) => {
      if (isHolding) held.push(() => response.end());
      else response.end();
    };
    const worker = await prepareWorker();
    worker.send('go');
    const load = publishSteadily(5);
    for (let turn = 0; turn < KILLS_OF_POSTGRES; turn += 1) {
      const before = load.committed.length;
      await until('the load runs', () => load.committed.length > before + 60);
      isHolding = true;
      await until('some attempts are under way', () => held.length >= 4);
      const pid = server.pid();
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      // Their responses arrive while no database can record them.
      isHolding = false;
      for (const release of held.splice(0)) release();
      await until('it is another server', () => server.pid() !== null && server.pid() !== pid);
    }
    await until('the load goes on', async () => {
      const before = load.committed.length;
      await delay(50);
      return load.committed.length > before;
    });
    await load.stop();
    await assertNothingLost(context, load.committed);
    await killWorker(worker);
  });
});
