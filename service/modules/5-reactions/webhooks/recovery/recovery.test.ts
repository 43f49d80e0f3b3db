import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type DeliveryService, type Receiver, startDeliveryService, startReceiver } from '@partner-portal/tests/harness/deliveries.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { runRecovery, sweepRecoveries } from './run-recovery.ts';

// Missed events are redelivered: all, once, queued in order, in small portions.

let service: DeliveryService;
let receiver: Receiver;
let runner: JobRunner;
let endpoint: { id: string };
const BASE = '/partners/me/webhooks';
const LONG_AGO = '2026-01-01T00:00:00.000Z';

before(async () => {
  service = await startDeliveryService();
  receiver = await startReceiver();
  const { jobs, crons } = service.hooks;
  runner = createRunner({ address: service.database.configFor('portal_queue'), log: service.log, jobs, crons });
});
after(async () => {
  await runner.stop(0);
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  for (const table of ['delivery_queue', 'delivery', 'webhook_recovery', 'webhook_endpoint']) await service.query(`delete from ${table}`);
  await service.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
  receiver.answer = (_request, response) => void response.end('thank you');
  receiver.received.length = 0;
  endpoint = (await service.call('POST', BASE, { as: 'owner', body: { url: receiver.url } })).body;
});

const path = (rest: string) => `${BASE}/${endpoint.id}${rest}`;
const recover = (body: object = {}) => service.call('POST', path('/recover'), { as: 'owner', body: { since: LONG_AGO, ...body } });
const recoveries = async () => (await service.call('GET', path('/recoveries'), { as: 'owner' })).body;
const cancel = (id: string) => service.call('POST', path(`/recoveries/${id}/cancel`), { as: 'owner' });
const turn = (isActive: boolean) => service.call('PATCH', path(''), { as: 'owner', body: { isActive } });
const portion = (recoveryId: string) => runRecovery(service, { partnerId: service.world.partnerId, recoveryId });
const emails = () => receiver.received.map(({ body }) => String(JSON.parse(body).data.invitation?.email));
/** Runs a recovery to its end: each job queues a portion, which is then sent. Delayed jobs run at once. */
async function finish(): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await runner.drain();
    await service.drain();
    if ((await recoveries())[0]?.status !== 'running') return;
    await sweepRecoveries({ db: service.db }, { log: service.log });
  }
  throw new Error('The recovery does not end.');
}
/** Events that the endpoint missed while it was off. */
async function miss(count: number, from = 0): Promise<void> {
  await turn(false);
  for (let n = 0; n < count; n += 1) await service.publish(undefined, `missed-${from + n}@example.com`);
  await service.drain();
  await turn(true);
}

describe('a dry run', () => {
  it('counts what was missed in the window, with its oldest and newest, and sends nothing', async () => {
    await service.publish(undefined, 'arrived@example.com');
    await service.drain();
    receiver.received.length = 0;
    await miss(3);
    const rows = await service.query<{ at: Date }>("select created_at as at from delivery where status = 'failed' order by id");
    const answer = await recover({ dryRun: true });
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { count: 3, oldest: rows[0]?.at.toISOString(), newest: rows.at(-1)?.at.toISOString(), recovery: null }],
    );
    await service.query("update delivery set created_at = created_at - interval '10 minutes' where body like '%missed-0@%'");
    const [early] = await service.query<{ at: Date }>('select min(created_at) as at from delivery');
    assert.ok(early);
    const windows: [object, number][] = [
      [{ until: rows[0]?.at.toISOString() }, 1],
      [{ since: early.at.toISOString(), until: new Date(early.at.getTime() + 1).toISOString() }, 1],
      [{ until: early.at.toISOString() }, 0],
      [{ since: new Date(early.at.getTime() + 1).toISOString() }, 2],
    ];
    for (const [window, expected] of windows)
      assert.equal((await recover({ dryRun: true, ...window })).body.count, expected, JSON.stringify(window));
    assert.equal(
      (
        await recover({
          dryRun: true,
          since: new Date(Date.now() + 60_000).toISOString(),
          until: new Date(Date.now() + 120_000).toISOString(),
        })
      ).body.count,
      0,
    );
    await service.drain();
    assert.deepEqual([await recoveries(), receiver.received], [[], []]);
  });

  it('is allowed for an endpoint that is off; a recovery is not', async () => {
    await turn(false);
    await service.publish();
    await service.drain();
    assert.equal((await recover({ dryRun: true })).body.count, 1);
    const refused = await recover();
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
    await turn(true);
    assert.equal((await recover()).status, 202);
  });
});

describe('a recovery', () => {
  it('queues each missed event once, in the original order, sends it with its own id and bytes, and completes', async () => {
    await miss(4);
    const originals = await service.query<{ event_id: string; body: string }>('select event_id, body from delivery order by id');
    const begun = await recover();
    assert.equal(begun.status, 202);
    const { recovery } = begun.body;
    assert.deepEqual([begun.body.count, recovery.status, recovery.total, recovery.queued], [4, 'running', 4, 0]);
    await finish();
    assert.deepEqual(emails().toSorted(), ['missed-0@example.com', 'missed-1@example.com', 'missed-2@example.com', 'missed-3@example.com']);
    const resent = await service.query<{ event_id: string; body: string; redelivery_of: string }>(
      'select event_id, body, redelivery_of from delivery where recovery_id = $1 order by id',
      [recovery.id],
    );
    assert.deepEqual(
      resent.map(({ event_id, body }) => ({ event_id, body })),
      originals,
    );
    const [ended] = await recoveries();
    assert.deepEqual(
      [ended.status, ended.queued, ended.delivered, ended.failed, ended.pending, typeof ended.finishedAt],
      ['completed', 4, 4, 0, 0, 'string'],
    );
    const nothing = await recover();
    assert.deepEqual(
      [nothing.status, nothing.body],
      [200, { count: 0, oldest: null, newest: null, recovery: null }],
      'nothing is missed any more',
    );
  });

  it('skips what was delivered or is pending on its own, and test events', async () => {
    await service.call('POST', path('/test'), { as: 'owner' });
    await miss(3);
    const log = (await service.call('GET', path('/deliveries'), { as: 'owner' })).body;
    const [third, second] = log;
    await service.call('POST', path(`/deliveries/${third.id}/redeliver`), { as: 'owner' });
    await service.drain();
    await service.call('POST', path(`/deliveries/${second.id}/redeliver`), { as: 'owner' });
    receiver.received.length = 0;
    const begun = await recover();
    assert.equal(begun.body.count, 1);
    await service.query('delete from delivery_queue');
    await service.query("update delivery set status = 'failed', reason = 'attempts_exhausted', due_at = null where status = 'pending'");
    assert.equal((await recover({ dryRun: true })).body.count, 2, 'what failed again is still missed');
  });

  it('queues at most fifty at a time, so that new events wait behind few', async () => {
    await miss(120);
    const { recovery } = (await recover()).body;
    const queued = async () => Number((await service.query<{ n: string }>('select count(*) as n from delivery_queue'))[0]?.n);
    await portion(recovery.id);
    await portion(recovery.id);
    assert.equal(await queued(), 50);
    await service.publish(undefined, 'live@example.com');
    await service.drain();
    assert.ok(emails().includes('live@example.com'));
    assert.equal(receiver.received.length, 51);
    await finish();
    assert.equal(new Set(emails()).size, 121);
    assert.equal(receiver.received.length, 121);
    const order = await service.query<{ email: string }>(
      "select body::jsonb #>> '{data,invitation,email}' as email from delivery where recovery_id is not null order by id",
    );
    assert.deepEqual(
      order.map((row) => row.email),
      Array.from({ length: 120 }, (_, n) => `missed-${n}@example.com`),
    );
  });

  it('that crashes between portions or runs twice at once sends each event exactly once', async () => {
    await miss(120);
    const { recovery } = (await recover()).body;
    // The job is lost with the process.
    await service.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
    await Promise.all([portion(recovery.id), portion(recovery.id), portion(recovery.id)]);
    await service.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
    await sweepRecoveries({ db: service.db }, { log: service.log });
    await finish();
    assert.deepEqual([receiver.received.length, new Set(emails()).size], [120, 120]);
    assert.equal((await recoveries())[0].queued, 120);
  });

  it('runs one at a time per endpoint', async () => {
    await miss(2);
    const both = await Promise.all([recover(), recover()]);
    assert.deepEqual(
      both.map((answer) => answer.status).toSorted((a, b) => a - b),
      [202, 409],
    );
    assert.equal(both.find((answer) => answer.status === 409)?.body.code, 'already_pending');
    await finish();
    await miss(1, 2);
    assert.equal((await recover()).status, 202, 'the next may begin once it has ended');
  });

  it('when cancelled, fails what is queued and queues no more; another can start for the rest', async () => {
    await miss(80);
    const { recovery } = (await recover()).body;
    await portion(recovery.id);
    const answer = await cancel(recovery.id);
    assert.deepEqual(
      [answer.status, answer.body.status, answer.body.queued, answer.body.failed, answer.body.pending],
      [200, 'cancelled', 50, 50, 0],
    );
    await runner.drain();
    await portion(recovery.id);
    await service.drain();
    assert.deepEqual(receiver.received, []);
    const reasons = await service.query('select distinct reason from delivery where recovery_id is not null');
    assert.deepEqual(reasons, [{ reason: 'cancelled' }]);
    assert.equal((await cancel(recovery.id)).body.code, 'invalid_state');
    assert.equal((await cancel(newId())).body.code, 'not_found');
    assert.equal((await recover()).body.count, 80);
    await finish();
    assert.equal(new Set(emails()).size, 80);
  });

  it('when cancelled, fails what is queued even while a late claim holds its rows', async () => {
    await miss(2);
    const { recovery } = (await recover()).body;
    await portion(recovery.id);
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    // A claim whose rows another sender postponed meanwhile locks them, checks again and leaves them.
    const claiming = service.db.asSystem('seed', async (tx) => {
      await sql`select from delivery_queue for update`.execute(tx);
      held.resolve(undefined);
      await goOn.promise;
    });
    await held.promise;
    let isOver = false;
    const cancelling = cancel(recovery.id).finally(() => (isOver = true));
    await until('the cancellation waits or is over', async () => isOver || (await countLockWaits(service.database)) > 0);
    goOn.resolve(undefined);
    await claiming;
    const { body } = await cancelling;
    assert.deepEqual([body.status, body.failed, body.pending], ['cancelled', 2, 0]);
    await service.drain();
    assert.deepEqual(receiver.received, []);
  });

  it('ends with its endpoint, without affecting other endpoints', async () => {
    const other = (await service.call('POST', BASE, { as: 'owner', body: { url: `${receiver.origin}/other` } })).body;
    await miss(60);
    await service.drain();
    receiver.received.length = 0;
    const { recovery } = (await recover()).body;
    await portion(recovery.id);
    await turn(false);
    const [ended] = await recoveries();
    assert.deepEqual([ended.status, ended.pending, ended.failed], ['cancelled', 0, 50]);
    await portion(recovery.id);
    await service.drain();
    assert.deepEqual(receiver.received, []);
    assert.deepEqual((await service.call('GET', `${BASE}/${other.id}/recoveries`, { as: 'owner' })).body, []);
  });

  it('with an invalid window is refused, naming the field', async () => {
    const bad: [object, string][] = [
      [{ since: 'yesterday' }, 'since'],
      [{ since: undefined }, 'since'],
      [{ since: '2099-01-01T00:00:00.000Z' }, 'since'],
      [{ until: '2025-01-01T00:00:00.000Z' }, 'until'],
      [{ until: LONG_AGO }, 'until'],
      [{ dryRun: 'yes' }, 'dryRun'],
    ];
    for (const [body, field] of bad) {
      const answer = await recover(body);
      assert.deepEqual([answer.status, answer.body.code, answer.body.errors[0].field], [422, 'validation_failed', field], answer.text);
    }
  });
});
