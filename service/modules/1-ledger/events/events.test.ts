import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { DomainEvent, Reaction } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { type DeliveryService, publishInvited, publishInvitedIn, startDeliveryService } from '@partner-portal/tests/harness/deliveries.ts';
import { openDeliveryProcess } from '@partner-portal/tests/harness/delivery-process.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import pg from 'pg';

/** Writes a row per event, so that what a rolled back reaction did shows; throws for events that `breaksOn` names. */
let breaksOn: (event: DomainEvent) => boolean = () => false;
const seen: string[] = [];
const noted: Reaction = {
  name: 'test.note',
  types: ['client_user.invited'],
  async run(tx, events) {
    for (const event of events) {
      await tx
        .insertInto('usageEntry')
        .values({ id: event.id, kind: 'grant', partnerId: event.partnerId, credits: 0, note: 'noted' })
        .execute();
      seen.push(event.id);
    }
  },
};
const breaking: Reaction = {
  name: 'test.break',
  async run(_tx, events) {
    if (events.some((event) => breaksOn(event))) throw new Error('this event is poison');
  },
};

let service: DeliveryService;
const listening: pg.Client[] = [];

before(async () => {
  service = await startDeliveryService({ reactions: [noted, breaking] });
});
after(async () => {
  for (const client of listening) await client.end();
  await service.close();
});
afterEach(async () => {
  breaksOn = () => false;
  await service.query('update event set due_at = null');
});

const notes = (ids: string[]) =>
  service
    .query<{ id: string }>(`select id from usage_entry where note = 'noted' and id = any($1) order by id`, [ids])
    .then((rows) => rows.map((row) => row.id));
const eventOf = async (id: string) =>
  (
    await service.query<{ waits: boolean; failures: number; due: Date }>(
      'select due_at is not null as waits, reaction_failures as failures, due_at as due from event where id = $1',
      [id],
    )
  )[0];
const dueNow = () => service.query("update event set due_at = now() - interval '1 second' where due_at is not null");
const dbTime = async () => (await service.query<{ now: Date }>('select clock_timestamp() as now'))[0]?.now.getTime() ?? 0;

/** Collects the notifications on a channel from now on. */
async function listen(channel: string): Promise<{ received: string[]; mark(): Promise<void> }> {
  const client = new pg.Client({ ...service.database.host.adminConfig, database: service.database.name });
  await client.connect();
  listening.push(client);
  const received: string[] = [];
  client.on('notification', ({ payload }) => received.push(payload ?? ''));
  await client.query(`listen ${channel}`);
  return {
    received,
    // Notifications arrive in order, so all earlier ones have been received when the mark arrives.
    mark: async () => {
      await service.query(`select pg_notify('${channel}', 'mark')`);
      await until('the mark has been received', () => received.includes('mark'));
      received.splice(received.indexOf('mark'), 1);
    },
  };
}

describe('an event', () => {
  it('runs its reactions once across two processes', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => service.publish()));
    const other = service.another();
    seen.length = 0;
    const counts = await Promise.all([service.events.runOnce(), other.events.runOnce(), service.events.runOnce(), other.events.runOnce()]);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      60,
    );
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    assert.equal(await service.events.runOnce(), 0);
  });

  it('that was rolled back has no reactions', async () => {
    await assert.rejects(
      service.db.asSystem('seed', async (tx) => {
        await publishInvitedIn(tx, service.world.partnerId, 'ghost@example.com');
        throw new Error('no');
      }),
    );
    assert.equal(await service.events.runOnce(), 0);
  });

  it('leaves all its reactions pending when one fails, and runs them all once it succeeds', async () => {
    const id = await service.publish();
    breaksOn = (event) => event.id === id;
    assert.equal(await service.events.runOnce(), 0);
    assert.deepEqual(await notes([id]), [], 'the reaction that had worked was taken back');
    breaksOn = () => false;
    await dueNow();
    assert.equal(await service.events.runOnce(), 1);
    assert.deepEqual(await notes([id]), [id]);
  });
});

describe('a poisoned event', () => {
  it('backs off alone while the others of its batch proceed', async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, () => service.publish()));
    const [, , , , poison = ''] = ids;
    breaksOn = (event) => event.id === poison;
    assert.equal(await service.events.runOnce(), 8);
    assert.deepEqual(await notes(ids), ids.filter((id) => id !== poison).toSorted());
    for (const [failures, seconds] of [
      [2, 2],
      [3, 4],
      [4, 8],
    ] as const) {
      await dueNow();
      const [neighbour, before] = [await service.publish(), await dbTime()];
      assert.equal(await service.events.runOnce(), 1);
      const after = await dbTime();
      const event = await eventOf(poison);
      assert.deepEqual([event?.waits, event?.failures], [true, failures]);
      const due = (event?.due.getTime() ?? 0) - seconds * 1000;
      assert.ok(before - 500 <= due && due <= after + 500, `put off by ${seconds} s`);
      assert.deepEqual(await notes([neighbour]), [neighbour]);
    }
    await service.query("update event set due_at = now() - interval '1 second', reaction_failures = 60 where id = $1", [poison]);
    const before = await dbTime();
    await service.events.runOnce();
    const after = await dbTime();
    const due = ((await eventOf(poison))?.due.getTime() ?? 0) - 600_000;
    assert.ok(before - 500 <= due && due <= after + 500, 'ten minutes at most');
  });
});

describe('the wake-up for an event', () => {
  it('notifies other processes after the commit, unless this one processes it', async () => {
    // Notifications of this file's own service are not under test.
    await service.events.stop();
    await until('no statement is running', () => service.pool.idleCount === service.pool.totalCount);
    const other = openDeliveryProcess(service.database.configFor('portal_service'), service.log);
    const { received, mark } = await listen('events');
    await mark();
    received.length = 0;
    const publish = () => publishInvited(other.db, service.world.partnerId, 'pat@example.com');
    await publish();
    await until('the other processes are notified', () => received.length > 0);
    other.start();
    const isProcessed = async () => (await other.events.waiting()) === 0;
    await until('it is processed', isProcessed);
    received.length = 0;
    await publish();
    await until('it is processed as well', isProcessed);
    await mark();
    assert.deepEqual(received, []);
    await other.stop();
  });
});
