import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type DeliveryService, type Receiver, startDeliveryService, startReceiver } from '@partner-portal/tests/harness/deliveries.ts';
import { readSigned } from '@partner-portal/tests/harness/stripe.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { withClient } from '#platform/db/roles.ts';
import { newId } from '#platform/ids.ts';
import { v7 } from 'uuid';
import { streamDeliveries } from './stream-deliveries.ts';
import { deliveriesChanged } from '../topic.ts';

// Test events, redeliveries, the delivery log and its stream.

let service: DeliveryService;
let receiver: Receiver;
let endpoint: { id: string; secret: string };
const BASE = '/partners/me/webhooks';

before(async () => {
  service = await startDeliveryService();
  receiver = await startReceiver();
});
after(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  for (const table of ['delivery_queue', 'delivery', 'webhook_endpoint']) await service.query(`delete from ${table}`);
  receiver.answer = (_request, response) => void response.end('thank you');
  receiver.received.length = 0;
  endpoint = (await service.call('POST', BASE, { as: 'owner', body: { url: receiver.url } })).body;
});

const path = (rest: string) => `${BASE}/${endpoint.id}${rest}`;
const test = () => service.call('POST', path('/test'), { as: 'owner' });
const log = async () => (await service.call('GET', path('/deliveries'), { as: 'owner' })).body;
const again = (id: string) => service.call('POST', path(`/deliveries/${id}/redeliver`), { as: 'owner' });
/** The received request, after its signature was verified. */
const verify = (secret = endpoint.secret) =>
  receiver.received.map(
    ({ body, headers }) => readSigned(body, headers['x-service-signature'], secret) as { id: string; type: string; data: object }, // looked at by the tests
  );
const exhaust = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) {
    await service.query("update delivery_queue set due_at = now() - interval '1 second'");
    await service.drain();
  }
};

describe('a test event', () => {
  it('is queued for this endpoint only, signed, and marked as synthetic', async () => {
    const other = (await service.call('POST', BASE, { as: 'owner', body: { url: `${receiver.origin}/other` } })).body;
    const answer = await test();
    assert.deepEqual(
      [answer.status, Object.keys(answer.body).toSorted(), answer.body.status],
      [202, ['deliveryId', 'eventId', 'status'], 'pending'],
    );
    await service.drain();
    const [event] = verify();
    assert.deepEqual(
      receiver.received.map((one) => one.path),
      ['/hook'],
    );
    assert.deepEqual(
      [event?.id, event?.type, event?.data],
      [
        answer.body.eventId,
        'webhook.test',
        {
          partnerId: service.world.partnerId,
          partnerName: 'Acme Agency',
          actor: { type: 'user', id: service.world.people.owner.userId, email: 'owner@portal.test' },
          portalUrl: 'http://portal.test/dashboard/settings/webhooks',
          endpointId: endpoint.id,
          message: 'This is a test event.',
          synthetic: true,
        },
      ],
    );
    assert.equal(receiver.received[0]?.headers['x-service-event'], 'webhook.test');
    const [row] = await log();
    assert.deepEqual([row.id, row.eventId, row.status, row.attempts.length], [answer.body.deliveryId, answer.body.eventId, 'delivered', 1]);
    assert.deepEqual((await service.call('GET', `${BASE}/${other.id}/deliveries`, { as: 'owner' })).body, []);
    assert.throws(() => verify(other.secret), 'no other secret verifies it');
  });

  it('has the usual five attempts, each with a fresh signature', async () => {
    receiver.answer = (_request, response) => void response.writeHead(500).end('out of order');
    await test();
    await exhaust();
    const [row] = await log();
    assert.deepEqual(
      [row.status, row.reason, row.attemptCount, row.maxAttempts, row.attempts.length],
      ['failed', 'attempts_exhausted', 5, 5, 5],
    );
    assert.equal(verify().length, 5);
    assert.equal(new Set(receiver.received.map((one) => one.body)).size, 1, 'the same bytes each time');
  });

  it('shows the whole signature of each attempt as the receiver got it, and none while it is not known', async () => {
    receiver.answer = (_request, response) => void response.writeHead(500).end();
    await test();
    const [queued] = await log();
    assert.deepEqual(queued.attempts, []);
    await exhaust();
    const [row] = await log();
    const shown = row.attempts.map((attempt: { signature: string }) => attempt.signature);
    assert.deepEqual(
      shown,
      receiver.received.map(({ headers }) => headers['x-service-signature']),
    );
    assert.equal(shown.length, 5);
    for (const signature of shown) readSigned(row.requestBody, signature, endpoint.secret);
    await test();
    await service.query(
      `insert into delivery_attempt (partner_id, delivery_id, n) select partner_id, delivery_id, 1 from delivery_queue where endpoint_id = $1`,
      [endpoint.id],
    );
    assert.deepEqual((await log())[0].attempts[0].signature, null);
  });

  it('to an endpoint that is off is refused, and nothing is stored or sent', async () => {
    await service.call('PATCH', path(''), { as: 'owner', body: { isActive: false } });
    const answer = await test();
    assert.deepEqual([answer.status, answer.body.code], [409, 'invalid_state']);
    await service.drain();
    assert.deepEqual([await log(), receiver.received], [[], []]);
    await service.call('PATCH', path(''), { as: 'owner', body: { isActive: true } });
    assert.equal((await test()).status, 202);
  });
});

describe('a delivery', () => {
  it('is shown and sent again for 30 days, and then no longer, also before its month is dropped', async () => {
    receiver.answer = (_request, response) => void response.writeHead(500).end();
    const made = async (days: number): Promise<string> => {
      await service.publish();
      await service.drain();
      await exhaust();
      const [row] = await log();
      const msecs = Date.now() - days * 86_400_000;
      const id = v7({ msecs });
      await service.query('update delivery set id = $2, created_at = $3 where id = $1', [row.id, id, new Date(msecs)]);
      await service.query('update delivery_attempt set delivery_id = $2 where delivery_id = $1', [row.id, id]);
      return id;
    };
    const [young, old] = [await made(29.9), await made(30.1)];
    assert.deepEqual(
      (await log()).map((row: { id: string; attempts: unknown[] }) => [row.id, row.attempts.length]),
      [[young, 5]],
    );
    const since = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const missed = await service.call('POST', path('/recover'), { as: 'owner', body: { since, dryRun: true } });
    assert.equal(missed.body.count, 1);
    assert.equal((await again(old)).body.code, 'not_found');
    assert.equal((await again(young)).status, 202);
  });
});

describe('a redelivery', () => {
  it('is a new delivery of the same event and bytes with attempts of its own; the original is unchanged', async () => {
    receiver.answer = (_request, response) => void response.writeHead(500).end();
    await service.publish();
    await service.drain();
    await exhaust();
    const [failed] = await log();
    assert.equal(failed.status, 'failed');
    receiver.answer = (_request, response) => void response.end();
    receiver.received.length = 0;
    const answer = await again(failed.id);
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(
      [answer.body.eventId, answer.body.requestBody, answer.body.status, answer.body.redeliveryOf, answer.body.attempts],
      [failed.eventId, failed.requestBody, 'pending', failed.id, []],
    );
    assert.notEqual(answer.body.id, failed.id);
    await service.drain();
    const rows = await log();
    assert.deepEqual(
      rows.map((row: { status: string }) => row.status),
      ['delivered', 'failed'],
    );
    assert.deepEqual(rows[1], failed);
    assert.deepEqual(
      verify().map((event) => event.id),
      [failed.eventId],
    );
    assert.match(failed.eventId, /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  it('can be made of a delivered one and of a redelivery: all reference the first', async () => {
    await service.publish();
    await service.drain();
    const [first] = await log();
    const second = (await again(first.id)).body;
    const third = (await again(second.id)).body;
    assert.deepEqual([second.redeliveryOf, third.redeliveryOf], [first.id, first.id]);
    await service.drain();
    assert.deepEqual(
      (await log()).map((row: { status: string }) => row.status),
      ['delivered', 'delivered', 'delivered'],
    );
    assert.equal(new Set(verify().map((event) => event.id)).size, 1);
  });

  it('is refused for an endpoint that is off, and for a delivery of another endpoint or an unknown one', async () => {
    await service.publish();
    await service.drain();
    const [row] = await log();
    const other = (await service.call('POST', BASE, { as: 'owner', body: { url: receiver.url } })).body;
    const wrong = await service.call('POST', `${BASE}/${other.id}/deliveries/${row.id}/redeliver`, { as: 'owner' });
    assert.deepEqual([wrong.status, wrong.body.code], [404, 'not_found']);
    assert.equal((await again(newId())).body.code, 'not_found');
    await service.call('PATCH', path(''), { as: 'owner', body: { isActive: false } });
    assert.equal((await again(row.id)).body.code, 'invalid_state');
    assert.equal((await again(newId())).body.code, 'not_found', 'an unknown delivery is reported first');
  });
});

describe('the log of an endpoint', () => {
  it('is a bare array of the newest fifty, newest first', async () => {
    for (let n = 0; n < 53; n += 1) await service.publish(undefined, `person-${n}@example.com`);
    await service.drain();
    const rows = await log();
    assert.equal(rows.length, 50);
    const emails = rows.map((row: { requestBody: string }) => JSON.parse(row.requestBody).data.invitation.email);
    assert.deepEqual([emails[0], emails.at(-1)], ['person-52@example.com', 'person-3@example.com']);
    const ids = rows.map((row: { id: string }) => row.id);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  it('explains for each attempt what happened and what to do', async () => {
    const answers = [301, 401, 404, 429, 503];
    receiver.answer = (_request, response) => {
      const status = answers[receiver.received.length - 1] ?? 200;
      response.writeHead(status, status === 301 ? { location: 'http://10.0.0.1/' } : {}).end(`answer ${status}`);
    };
    await service.publish();
    await service.drain();
    const [waiting] = await log();
    assert.deepEqual([waiting.status, waiting.attemptCount, waiting.finishedAt], ['pending', 1, null]);
    assert.ok(new Date(waiting.nextAttemptAt) > new Date(waiting.attempts[0].at));
    await exhaust();
    const [row] = await log();
    type Attempt = {
      n: number;
      httpStatus: number;
      error: string;
      responsePreview: string;
      durationMs: number;
      explanation: { message: string; hint: string };
    };
    const attempts: Attempt[] = row.attempts;
    assert.deepEqual(
      attempts.map((one) => [one.n, one.httpStatus, one.error, one.responsePreview]),
      answers.map((status, index) => [index + 1, status, status === 301 ? 'redirect' : 'status', `answer ${status}`]),
    );
    for (const one of attempts) {
      assert.ok(one.durationMs >= 0);
      assert.ok(one.explanation.message.length > 20 && one.explanation.hint.length > 20);
    }
    assert.equal(new Set(attempts.map((one) => one.explanation.message)).size, 5, 'each says its own');
    assert.match(row.explanation.message, /None of the attempts/);
    assert.equal(row.nextAttemptAt, null);
  });

  it('shows a delivery to an address that has become private as failed, with that reason, without a second attempt', async () => {
    const rows = await service.query<{ id: string }>("update webhook_endpoint set url = 'http://10.0.0.1/' where id = $1 returning id", [
      endpoint.id,
    ]);
    assert.equal(rows.length, 1);
    await service.publish();
    await service.drain();
    const [row] = await log();
    assert.deepEqual(
      [row.status, row.reason, row.attempts.map((one: { error: string }) => one.error)],
      ['failed', 'private_address', ['private_address']],
    );
    assert.match(row.explanation.message, /not reachable from the internet/);
  });
});

describe('the live log', () => {
  type Sent = { id: string; event: string; data: { id: string; status: string; attempts: unknown[] } };
  async function follow(lastEventId: string | null = null): Promise<{ sent: Sent[]; stop: () => void }> {
    const sent: Sent[] = [];
    const { source } = await streamDeliveries(service, service.actor('owner'), endpoint.id);
    const stop = await source.open((event) => void sent.push(event as Sent), lastEventId); // what the stream makes
    return { sent, stop };
  }

  it('streams a new delivery and each of its changes, and nothing of other endpoints', async () => {
    const other = (await service.call('POST', BASE, { as: 'owner', body: { url: receiver.url } })).body;
    const { sent, stop } = await follow();
    assert.equal(sent.length, 0, 'what the list already shows is not sent');
    const { deliveryId } = (await test()).body;
    await until('it is sent as pending', () => sent.some((one) => one.data.id === deliveryId && one.data.status === 'pending'));
    await service.drain();
    await until('it is sent as delivered', () => sent.some((one) => one.data.id === deliveryId && one.data.status === 'delivered'));
    await service.call('POST', `${BASE}/${other.id}/test`, { as: 'owner' });
    await service.drain();
    const last = (await test()).body.deliveryId;
    await until('the next is sent', () => sent.some((one) => one.data.id === last));
    assert.deepEqual([...new Set(sent.map((one) => one.data.id))], [deliveryId, last]);
    assert.ok(sent.every((one) => one.event === 'delivery' && !JSON.stringify(one).includes('deliveryId')));
    const count = sent.length;
    stop();
    await service.drain();
    assert.equal(sent.length, count);
  });

  it('streams deliveries that fail because the endpoint was switched off', async () => {
    await test();
    const admin = { ...service.database.host.adminConfig, database: service.database.name };
    await withClient(admin, async (client) => {
      const payloads: string[] = [];
      client.on('notification', ({ payload = '' }) => payloads.push(payload));
      await client.query(`listen ${deliveriesChanged.channel}`);
      await service.call('PATCH', path(''), { as: 'owner', body: { isActive: false } });
      await until('its end is announced', () => payloads.some((one) => one.includes(endpoint.id)));
    });
    assert.equal((await log())[0].reason, 'endpoint_inactive');
  });

  it('sends what changed while the connection was down', async () => {
    const { sent, stop } = await follow();
    const admin = { ...service.database.host.adminConfig, database: service.database.name };
    await withClient(admin, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'portal notices'`,
      ),
    );
    const { deliveryId } = (await test()).body;
    await until('it is sent', () => sent.some((one) => one.data.id === deliveryId));
    stop();
    await service.drain();
  });

  it('resumes with the missed changes', async () => {
    const before = String(Date.now());
    const ids = [(await test()).body.deliveryId, (await test()).body.deliveryId];
    await service.drain();
    const { sent, stop } = await follow(before);
    assert.deepEqual(
      sent.map((one) => [one.data.id, one.data.status]),
      ids.map((id) => [id, 'delivered']),
    );
    assert.equal(sent[0]?.id, before, 'a stream cut off after the first receives the other as well');
    assert.ok(Number(sent[1]?.id) > Number(before));
    stop();
    const later = await follow(String(Date.now() + 60_000));
    assert.equal(later.sent.length, 0);
    later.stop();
  });
});
