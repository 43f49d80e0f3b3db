import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import {
  type DeliveryService,
  type Receiver,
  startDeliveryService,
  startReceiver,
  type TestEndpoint,
} from '@partner-portal/tests/harness/deliveries.ts';
import { measuredDuring } from '@partner-portal/tests/harness/measured.ts';
import { readSigned } from '@partner-portal/tests/harness/stripe.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { failQueued, queueDelivery } from '../queue.ts';
import { createSecretSeal } from '../endpoints/secret-seal.ts';
import { createSender, LEASE_SECONDS, POLL_MS } from './sender.ts';
import { settleDeliveries } from '../store-queue.ts';
import { destroyDataKey } from '#modules/1-ledger/data-keys/index.ts';
import type { StatementName, TypedStatement } from '#platform/db/statements.ts';

let service: DeliveryService;
let receiver: Receiver;
let now = new Date('2026-03-01T12:00:00.000Z');

before(async () => {
  service = await startDeliveryService({ now: () => now });
  receiver = await startReceiver();
  // Expired leases are claimed only after that.
  const isOld = "select from (select now() - pg_postmaster_start_time() as age) as server where age > interval '5 seconds'";
  await until('the server has been up for long enough', async () => (await service.query(isOld)).length > 0);
});
after(async () => {
  await service.close();
  await receiver.close();
});
afterEach(async () => {
  receiver.answer = (_request, response) => void response.end('thank you');
  receiver.received.length = 0;
  await service.query('delete from delivery_queue');
});

type Setup = { partnerId: string; endpoint: TestEndpoint };
/** An agency with one endpoint at the receiver. */
async function agency(options: { isActive?: boolean } = {}): Promise<Setup> {
  const partnerId = await service.addAgency();
  return { partnerId, endpoint: await service.addEndpoint({ url: receiver.url, partnerId, ...options }) };
}
const delivered = async ({ endpoint }: Setup) => (await service.deliveries('endpoint_id = $1', [endpoint.id]))[0];
const queued = async ({ endpoint }: Setup) =>
  (
    await service.query<{ due_at: Date; tries: number; claimed_by: string | null }>(
      'select due_at, tries, claimed_by from delivery_queue where endpoint_id = $1',
      [endpoint.id],
    )
  )[0];
const endpointOf = async ({ endpoint }: Setup) =>
  (
    await service.query<{ streak: number; status: string | null }>(
      'select failure_streak as streak, last_delivery_status as status from webhook_endpoint where id = $1',
      [endpoint.id],
    )
  )[0];
const dueNow = () => service.query("update delivery_queue set due_at = now() - interval '1 second'");
const dbTime = async () => (await service.query<{ now: Date }>('select clock_timestamp() as now'))[0]?.now.getTime() ?? 0;
const answer = (status: number, headers: Record<string, string> = {}): void => {
  receiver.answer = (_request, response) => void response.writeHead(status, headers).end(`answer ${status}`);
};
/** Makes the due attempt; returns when the next is due, in milliseconds, as an interval bounded by the database's clock. */
async function attempt(setup: Setup): Promise<{ atLeast: number; atMost: number } | undefined> {
  await dueNow();
  const before = await dbTime();
  await service.drain();
  const after = await dbTime();
  const row = await queued(setup);
  return row && { atLeast: row.due_at.getTime() - after, atMost: row.due_at.getTime() - before };
}
/** The clock of a virtual machine may be set back by some milliseconds meanwhile; the waits are seconds apart. */
const SET_BACK_MS = 1_000;
const within = (waited: { atLeast: number; atMost: number } | undefined, ms: number): void => {
  const isWithin = waited && waited.atLeast <= ms + SET_BACK_MS && ms <= waited.atMost + SET_BACK_MS;
  assert.ok(isWithin, `${JSON.stringify(waited)} is not ${ms}`);
};

describe('an event', () => {
  it('is measured once for each attempt by its outcome', async () => {
    const setup = await agency();
    answer(500);
    await service.publish(setup.partnerId);
    const WEBHOOKS = 'portal_webhook_attempt_duration_seconds';
    assert.deepEqual(await measuredDuring(WEBHOOKS, () => attempt(setup)), ['status']);
    answer(204);
    assert.deepEqual(await measuredDuring(WEBHOOKS, () => attempt(setup)), ['delivered']);
    assert.deepEqual(await measuredDuring(WEBHOOKS, () => service.drain()), []);
  });

  it('reaches the endpoint of its agency as specified: one POST of the stored bytes, signed so that a published library agrees', async () => {
    const setup = await agency();
    now = new Date();
    const eventId = await service.publish(setup.partnerId, 'zoë@example.com');
    await service.drain();
    const delivery = await delivered(setup);
    const [got] = receiver.received;
    assert.ok(got && delivery);
    assert.deepEqual(
      [delivery.status, delivery.attempt_count, delivery.reason, delivery.attempts.length, delivery.attempts[0]?.http_status],
      ['delivered', 1, null, 1, 200],
    );
    assert.equal(delivery.attempts[0]?.response_preview, 'thank you');
    assert.equal(got.body, delivery.body);
    assert.equal(got.headers['content-type'], 'application/json');
    assert.equal(got.headers['x-service-event'], 'client_user.invited');
    const signature = String(got.headers['x-service-signature']);
    assert.match(signature, /^t=\d{10},v1=[0-9a-f]{64}$/);
    const event = readSigned(got.body, signature, setup.endpoint.secret);
    assert.deepEqual(Object.keys(event as object), ['id', 'type', 'createdAt', 'data']); // parsed from the very body
    const [stored] = await service.query<{ created_at: Date }>('select created_at from event where id = $1', [eventId]);
    const envelope = JSON.parse(got.body) as { id: string; createdAt: string; data: { invitation: { email: string } } }; // asserted next
    assert.deepEqual(
      [envelope.id, envelope.createdAt, envelope.data.invitation.email],
      [eventIdText(eventId), stored?.created_at.toISOString(), 'zoë@example.com'],
    );
    assert.equal(receiver.received.length, 1);
    assert.equal(await queued(setup), undefined);
  });

  it('goes to each endpoint of its agency with that endpoint’s own signature, and to no other agency', async () => {
    const [setup, other] = [await agency(), await agency()];
    const second = await service.addEndpoint({ url: `${receiver.origin}/second`, partnerId: setup.partnerId });
    await service.publish(setup.partnerId);
    await service.drain();
    assert.deepEqual(receiver.received.map((one) => one.path).toSorted(), ['/hook', '/second']);
    assert.equal(new Set(receiver.received.map((one) => one.body)).size, 1);
    for (const [path, secret] of [
      ['/hook', setup.endpoint.secret],
      ['/second', second.secret],
    ] as const) {
      const got = receiver.received.find((one) => one.path === path);
      const header = webhookSignatureHeader(secret, Math.floor(now.getTime() / 1000), got?.body ?? '');
      assert.equal(got?.headers['x-service-signature'], header);
    }
    assert.equal(await delivered(other), undefined);
  });

  it('for an inactive endpoint is stored with that reason and not sent; for a removed one there is none', async () => {
    const setup = await agency({ isActive: false });
    const removed = await service.addEndpoint({ url: receiver.url, partnerId: setup.partnerId });
    await service.query('update webhook_endpoint set deleted_at = now(), secret_sealed = null where id = $1', [removed.id]);
    await service.publish(setup.partnerId);
    await service.drain();
    const kept = await delivered(setup);
    assert.deepEqual([kept?.status, kept?.reason, kept?.attempts], ['failed', 'endpoint_inactive', []]);
    assert.match(kept?.body ?? '', /^\{"id":"evt_/);
    assert.deepEqual(await service.deliveries('endpoint_id = $1', [removed.id]), []);
    assert.equal(receiver.received.length, 0);
    assert.deepEqual(await endpointOf(setup), { streak: 0, status: null }, 'nothing was tried, so nothing failed');
  });
});

describe('a delivery that fails', () => {
  it('is tried five times, 5, 10, 20 and 40 s apart, each time with the same bytes and a fresh timestamp, and then fails', async () => {
    const setup = await agency();
    answer(500);
    await service.publish(setup.partnerId);
    await service.events.runOnce();
    const expected: string[] = [];
    for (const seconds of [5, 10, 20, 40]) {
      now = new Date(now.getTime() + 60_000);
      within(await attempt(setup), seconds * 1000);
      const pending = await delivered(setup);
      assert.equal(pending?.status, 'pending');
      expected.push(webhookSignatureHeader(setup.endpoint.secret, Math.floor(now.getTime() / 1000), pending?.body ?? ''));
      assert.deepEqual(await endpointOf(setup), { streak: 0, status: 'pending' });
    }
    assert.equal(await attempt(setup), undefined);
    const failed = await delivered(setup);
    assert.deepEqual([failed?.status, failed?.reason, failed?.attempt_count], ['failed', 'attempts_exhausted', 5]);
    assert.deepEqual(
      failed?.attempts.map((one) => [one.n, one.http_status, one.error, one.response_preview]),
      [1, 2, 3, 4, 5].map((n) => [n, 500, 'status', 'answer 500']),
    );
    assert.deepEqual(
      receiver.received.slice(0, 4).map((one) => one.headers['x-service-signature']),
      expected,
    );
    assert.equal(new Set(receiver.received.map((one) => one.body)).size, 1);
    assert.deepEqual(await endpointOf(setup), { streak: 1, status: 'failed' });
    await dueNow();
    await service.drain();
    assert.equal(receiver.received.length, 5, 'and never again');
  });

  it('is delivered when a later attempt gets a 2xx, which resets the failure streak', async () => {
    const setup = await agency();
    answer(410);
    for (let n = 0; n < 3; n += 1) await service.publish(setup.partnerId);
    await service.drain();
    for (let n = 1; n < 5; n += 1) await attempt(setup);
    assert.deepEqual(await endpointOf(setup), { streak: 3, status: 'failed' });
    answer(503);
    await service.publish(setup.partnerId);
    await service.drain();
    answer(204);
    await attempt(setup);
    const all = await service.deliveries('endpoint_id = $1', [setup.endpoint.id]);
    assert.deepEqual(
      all.map((one) => [one.status, one.reason, one.attempt_count]),
      [...Array.from({ length: 3 }, () => ['failed', 'attempts_exhausted', 5]), ['delivered', null, 2]],
    );
    assert.deepEqual(await endpointOf(setup), { streak: 0, status: 'delivered' });
  });

  it('keeps to the schedule whatever the endpoint asks for', async () => {
    const setup = await agency();
    await service.publish(setup.partnerId);
    await service.events.runOnce();
    answer(429, { 'retry-after': '3600' });
    for (const seconds of [5, 10]) within(await attempt(setup), seconds * 1000);
  });

  it('does not follow a redirect', async () => {
    const setup = await agency();
    answer(302, { location: `${receiver.origin}/elsewhere` });
    await service.publish(setup.partnerId);
    await service.drain();
    assert.deepEqual(
      receiver.received.map((one) => one.path),
      ['/hook'],
    );
    assert.equal((await delivered(setup))?.attempts[0]?.error, 'redirect');
  });
});

describe('an endpoint that is switched off while something is pending', () => {
  const pending = async (): Promise<Setup> => {
    const setup = await agency();
    answer(500);
    await service.publish(setup.partnerId);
    await dueNow();
    await service.drain();
    return setup;
  };
  it('fails at once what is queued for it', async () => {
    const setup = await pending();
    const { partnerId, endpoint } = setup;
    const ended = await service.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) =>
      failQueued(tx, { partnerId, endpointId: endpoint.id }, 'endpoint_inactive'),
    );
    assert.equal(ended, 1);
    const delivery = await delivered(setup);
    assert.deepEqual([delivery?.status, delivery?.reason, delivery?.attempt_count], ['failed', 'endpoint_inactive', 1]);
    assert.equal(await queued(setup), undefined);
  });

  for (const [name, change] of [
    ['switched off', 'is_active = false'],
    ['removed', 'deleted_at = now(), secret_sealed = null'],
  ] as const)
    it(`is found ${name} before the next attempt, which is not made`, async () => {
      const setup = await pending();
      await service.query(`update webhook_endpoint set ${change} where id = $1`, [setup.endpoint.id]);
      receiver.received.length = 0;
      await attempt(setup);
      const delivery = await delivered(setup);
      assert.deepEqual([delivery?.status, delivery?.reason, delivery?.attempts.length], ['failed', 'endpoint_inactive', 1]);
      assert.equal(receiver.received.length, 0);
    });
});

describe('a delivery whose sender was killed', () => {
  /** Claimed by a dead process, its attempt recorded; the lease has expired. */
  const claimedByTheDead = async (setup: Setup, tries: number): Promise<void> => {
    await service.query(
      `update delivery_queue set claimed_by = 'dead', tries = $2, due_at = now() - interval '1 second' where endpoint_id = $1`,
      [setup.endpoint.id, tries],
    );
    await service.query(
      `insert into delivery_attempt (partner_id, delivery_id, n) select partner_id, delivery_id, tries from delivery_queue where endpoint_id = $1`,
      [setup.endpoint.id],
    );
  };
  const publish = async (): Promise<Setup> => {
    const setup = await agency();
    await service.publish(setup.partnerId);
    await service.events.runOnce();
    return setup;
  };

  it('is not claimed while its lease is valid', async () => {
    const setup = await publish();
    await claimedByTheDead(setup, 1);
    await service.query(`update delivery_queue set due_at = now() + interval '1 hour'`);
    await service.hooks.sender.runOnce();
    assert.equal((await queued(setup))?.claimed_by, 'dead');
  });

  it('is attempted again at once; the interrupted attempt is listed and does not count', async () => {
    const setup = await publish();
    await claimedByTheDead(setup, 1);
    await service.drain();
    const delivery = await delivered(setup);
    assert.deepEqual([delivery?.status, delivery?.attempt_count, delivery?.interrupted_count], ['delivered', 1, 1]);
    assert.deepEqual(
      delivery?.attempts.map((one) => [one.n, one.error, one.http_status, one.duration_ms === null]),
      [
        [1, 'interrupted', null, true],
        [2, null, 200, false],
      ],
    );
  });

  it('three interruptions do not count, the fourth counts as an attempt', async () => {
    const setup = await publish();
    for (let n = 1; n <= 3; n += 1) {
      await claimedByTheDead(setup, n);
      await service.hooks.sender.runOnce();
      assert.equal((await delivered(setup))?.attempt_count, 0);
    }
    await claimedByTheDead(setup, 4);
    const before = await dbTime();
    await service.hooks.sender.runOnce();
    const row = await queued(setup);
    assert.ok((row?.due_at.getTime() ?? 0) >= before + 5_000 - SET_BACK_MS, 'and waits like a failed one');
    assert.deepEqual([(await delivered(setup))?.attempt_count, (await delivered(setup))?.interrupted_count], [1, 4]);
    await dueNow();
    await service.drain();
    assert.equal((await delivered(setup))?.status, 'delivered');
  });

  it('is claimed again within 30 s: the lease and one poll', () => {
    assert.ok(LEASE_SECONDS * 1000 + POLL_MS + 5_000 <= 30_000, 'the 5 s after a restart of the server included');
    assert.ok(LEASE_SECONDS * 1000 > 10_000, 'no living sender loses a claim to its own attempt');
  });

  it('and that reports late: a failure changes nothing, a success counts, and both attempts show what happened', async () => {
    for (const [next, status] of [
      ['failed', 'pending'],
      ['delivered', 'delivered'],
    ] as const) {
      const setup = await publish();
      await claimedByTheDead(setup, 1);
      await service.query(`update delivery_queue set claimed_by = 'another', tries = 2, due_at = now() + interval '20 seconds'`);
      const delivery = await delivered(setup);
      await settleDeliveries(service.db, [
        {
          worker: 'dead',
          deliveryId: delivery?.id ?? '',
          partnerId: setup.partnerId,
          endpointId: setup.endpoint.id,
          n: 1,
          next,
          reason: next === 'failed' ? 'attempts_exhausted' : null,
          waitMs: 0,
          counts: true,
          interrupted: false,
          httpStatus: next === 'failed' ? 500 : 200,
          durationMs: 7,
          error: next === 'failed' ? 'status' : null,
          preview: null,
          signature: null,
        },
      ]);
      const settled = await delivered(setup);
      assert.equal(settled?.status, status);
      assert.deepEqual([settled?.attempts[0]?.duration_ms, (await queued(setup)) === undefined], [7, next === 'delivered']);
    }
  });

  it('an outcome recorded twice counts once', async () => {
    const setup = await publish();
    await claimedByTheDead(setup, 1);
    const [delivery, base] = [await delivered(setup), { worker: 'dead', partnerId: setup.partnerId, endpointId: setup.endpoint.id, n: 1 }];
    const failed = {
      ...base,
      deliveryId: delivery?.id ?? '',
      next: 'failed',
      reason: 'attempts_exhausted',
      waitMs: 0,
      counts: true,
      interrupted: false,
    } as const;
    const settlement = { ...failed, httpStatus: 500, durationMs: 7, error: 'status', preview: null, signature: null };
    await settleDeliveries(service.db, [settlement]);
    await settleDeliveries(service.db, [settlement]);
    assert.equal((await delivered(setup))?.attempt_count, 1);
    assert.deepEqual(await endpointOf(setup), { streak: 1, status: 'failed' });
  });
});

describe('a statement whose response is lost', () => {
  /** A sender that loses the next response to `name` after the database has committed it. */
  const senderLosing = (name: string) => {
    let isLost = false;
    const db: typeof service.db = {
      ...service.db,
      call: (async (statement: TypedStatement<StatementName>) => {
        const rows = await service.db.call(statement);
        if (statement.name !== name || isLost) return rows;
        isLost = true;
        throw new Error('Connection terminated unexpectedly');
      }) as typeof service.db.call, // rows pass through unchanged
    };
    return createSender({ ...service, db, fetch: service.fetch, seal: createSecretSeal(service.dataKeys) });
  };

  it('a claim: it is claimed again when its lease expires, by the same process too', async () => {
    const setup = await agency();
    await service.publish(setup.partnerId);
    await service.events.runOnce();
    const sender = senderLosing('claim_deliveries');
    await assert.rejects(sender.runOnce());
    assert.equal((await queued(setup))?.tries, 1);
    assert.equal(await sender.runOnce(), 0, 'the lease lasts');
    await dueNow();
    await sender.runOnce();
    await sender.runOnce();
    const delivery = await delivered(setup);
    assert.deepEqual([delivery?.status, delivery?.attempt_count, delivery?.interrupted_count], ['delivered', 1, 1]);
    assert.equal(receiver.received.length, 1);
  });

  it('an outcome: it is recorded again and counts once', async () => {
    const setup = await agency();
    answer(500);
    await service.publish(setup.partnerId);
    for (let n = 1; n < 5; n += 1) await attempt(setup);
    await dueNow();
    await senderLosing('settle_deliveries').runOnce();
    const delivery = await delivered(setup);
    assert.deepEqual([delivery?.status, delivery?.attempt_count], ['failed', 5]);
    assert.deepEqual(await endpointOf(setup), { streak: 1, status: 'failed' });
  });
});

describe('two senders', () => {
  it('share the queue: each delivery is sent once', async () => {
    const setups = await Promise.all(Array.from({ length: 6 }, () => agency()));
    for (const { partnerId } of setups) for (let n = 0; n < 8; n += 1) await service.publish(partnerId);
    while ((await service.events.runOnce()) > 0);
    const other = service.another();
    await Promise.all([
      service.hooks.sender.runOnce(),
      other.hooks.sender.runOnce(),
      service.hooks.sender.runOnce(),
      other.hooks.sender.runOnce(),
    ]);
    await service.drain();
    const ids = receiver.received.map((one) => (JSON.parse(one.body) as { id: string }).id); // our own envelope
    assert.equal(ids.length, 48);
    assert.equal(new Set(ids).size, 48);
  });
});

describe('the running sender', () => {
  it('sends what a route queues right after its commit, also when another process serves the route', async () => {
    const setup = await agency();
    const { partnerId, endpoint } = setup;
    const worker = service.another();
    worker.hooks.start();
    const queue = () =>
      service.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) =>
        queueDelivery(tx, {
          partnerId,
          endpointId: endpoint.id,
          eventId: '019b0a1c-7d5e-7abc-8def-0123456789ab',
          eventType: 'webhook.test',
          body: '{}',
        }),
      );
    await queue();
    await receiver.arrived(1);
    service.hooks.start();
    await queue();
    await receiver.arrived(2);
    await service.hooks.stop();
    await worker.hooks.stop();
    assert.equal(receiver.received[1]?.headers['x-service-event'], 'webhook.test');
  });
});

describe('deliveries whose data key was destroyed', () => {
  it('end without a request in every process, also where the secret was in use; the neighbour’s are sent', async () => {
    const [gone, neighbour] = [await agency(), await agency()];
    const other = service.another();
    for (const process of [service.hooks, other.hooks]) {
      for (const { partnerId } of [gone, neighbour]) await service.publish(partnerId);
      while ((await service.events.runOnce()) > 0);
      await process.sender.runOnce();
    }
    assert.equal(receiver.received.length, 4, 'each process has opened each secret');
    await service.db.asSystem('sweep', (tx) => destroyDataKey(tx, gone.partnerId));
    for (const process of [service.hooks, other.hooks]) {
      for (const { partnerId } of [gone, neighbour]) await service.publish(partnerId);
      while ((await service.events.runOnce()) > 0);
      await process.sender.runOnce();
    }
    const ends = (setup: Setup) =>
      service.deliveries('endpoint_id = $1', [setup.endpoint.id]).then((rows) => rows.map((row) => [row.status, row.reason]));
    assert.deepEqual(await ends(gone), [
      ['delivered', null],
      ['delivered', null],
      ['failed', 'endpoint_inactive'],
      ['failed', 'endpoint_inactive'],
    ]);
    assert.deepEqual(new Set((await ends(neighbour)).map(String)), new Set(['delivered,']));
    assert.equal(receiver.received.length, 6);
    assert.equal(await queued(gone), undefined, 'nothing is left to try');
  });

  it('wait while the data key is only missing, as before the keys are restored', async () => {
    const setup = await agency();
    const [key] = await service.query<{ id: string; master_key_id: string; sealed_key: Buffer }>(
      'delete from partner_data_key where partner_id = $1 returning *',
      [setup.partnerId],
    );
    assert.ok(key);
    await service.publish(setup.partnerId);
    await service.drain();
    assert.equal((await delivered(setup))?.status, 'pending');
    await service.query('insert into partner_data_key (id, partner_id, master_key_id, sealed_key) values ($1, $2, $3, $4)', [
      key.id,
      setup.partnerId,
      key.master_key_id,
      key.sealed_key,
    ]);
    await dueNow();
    await service.drain();
    assert.equal((await delivered(setup))?.status, 'delivered');
  });
});
