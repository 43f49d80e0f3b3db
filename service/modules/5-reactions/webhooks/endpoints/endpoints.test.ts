import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type DeliveryService, type Receiver, startDeliveryService, startReceiver } from '@partner-portal/tests/harness/deliveries.ts';
import { noonZone, type Person } from '@partner-portal/tests/harness/world.ts';
import { openStoredSecret } from '@partner-portal/tests/harness/deliveries.ts';
import { OLD_RING } from '@partner-portal/tests/harness/key-rings.ts';
import { newId } from '#platform/ids.ts';
import { deliveryDays } from '../delivery/store-days.ts';

// Managing endpoints.

let service: DeliveryService;
let receiver: Receiver;
/** Host names the test resolver knows. */
const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:4700:4700::1111'],
  'private.example': ['10.0.0.5'],
  'mixed.example': ['93.184.216.34', 'fd12::1'],
  'metadata.example': ['169.254.169.254'],
  'receiver.test': ['127.0.0.1'],
};
const BASE = '/partners/me/webhooks';

before(async () => {
  service = await startDeliveryService({
    lookup: async (host) => {
      const found = NAMES[host];
      if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  receiver = await startReceiver();
});
after(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  await service.query('delete from delivery_queue');
  await service.query('delete from delivery');
  await service.query('delete from webhook_recovery');
  await service.query('delete from webhook_endpoint');
});

const register = (url = receiver.url, as: Person = 'owner') => service.call('POST', BASE, { as, body: { url } });
const change = (id: string, body: object, headers = {}) => service.call('PATCH', `${BASE}/${id}`, { as: 'owner', body, headers });
const count = async (partnerId = service.world.partnerId) =>
  Number(
    (
      await service.query<{ n: string }>('select count(*) as n from webhook_endpoint where partner_id = $1 and deleted_at is null', [
        partnerId,
      ])
    )[0]?.n,
  );
const audited = async () =>
  service.query<{ action: string; changes: Record<string, unknown> }>(
    "select action, changes from audit_entry where action like 'webhook.%' and result = 'ok' order by id",
  );

describe('registering an endpoint', () => {
  it('returns the signing secret once, and nothing else ever does', async () => {
    const made = await register();
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(Object.keys(made.body).toSorted(), ['createdAt', 'id', 'isActive', 'secret', 'url']);
    assert.deepEqual([made.body.url, made.body.isActive], [receiver.url, true]);
    assert.match(made.body.secret, /^whsec_[\w-]{43}$/);
    const { id, secret } = made.body;
    const others = [
      await service.call('GET', BASE, { as: 'owner' }),
      await change(id, { isActive: false }),
      await change(id, { isActive: true, url: receiver.url }),
      await service.call('GET', `${BASE}/${id}/deliveries`, { as: 'owner' }),
      await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' }),
      await service.call('GET', '/webhooks/endpoints', { as: 'staff' }),
    ];
    for (const answer of others) {
      assert.ok(answer.status < 300, answer.text);
      assert.ok(!answer.text.includes(secret) && !answer.text.includes('"secret"'), answer.text);
    }
    const [row] = await service.query<{ sealed: Buffer; text: string }>(
      'select secret_sealed as sealed, e::text as text from webhook_endpoint e',
    );
    assert.ok(row && !row.text.includes(secret) && !row.sealed.includes(secret));
    assert.equal(await openStoredSecret(service.db, OLD_RING, { id, partnerId: service.world.partnerId }), secret);
    const entry = (await audited()).find(({ action }) => action === 'webhook.created');
    assert.deepEqual(entry?.changes, { url: [null, receiver.url], secret: ['changed', 'changed'] });
    assert.ok(!JSON.stringify(await audited()).includes(secret));
  });

  it('accepts the same URL twice, each with its own secret, so that a secret can be replaced', async () => {
    const [first, second] = [await register(), await register()];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.notEqual(first.body.secret, second.body.secret);
  });

  it('stops at five, also for concurrent requests, until one is removed', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => register()));
    const made = answers.filter((answer) => answer.status === 201);
    assert.equal(made.length, 5, answers.map((answer) => answer.text).join('\n'));
    for (const refused of answers.filter((answer) => answer.status !== 201))
      assert.deepEqual([refused.status, refused.body.code, refused.body.limit, refused.body.used], [409, 'webhook_limit_reached', 5, 5]);
    assert.equal(await count(), 5);
    assert.equal((await register(receiver.url, 'rivalOwner')).status, 201, 'another agency has five of its own');
    assert.equal((await service.call('DELETE', `${BASE}/${made[0]?.body.id}`, { as: 'owner' })).status, 204);
    const two = await Promise.all([register(), register()]);
    assert.deepEqual(
      two.map((answer) => answer.status).toSorted((a, b) => a - b),
      [201, 409],
    );
    assert.equal(await count(), 5);
  });

  const PRIVATE = [
    'http://10.0.0.1/',
    'http://192.168.0.10:8080/in',
    'http://localhost/in',
    'http://2130706434/',
    'http://0x0a000001/',
    'http://012.0.0.1/',
    'http://10.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://10\u30020\u30020\u30021/',
    'http://%31%30.0.0.1/',
    'https://private.example/in',
    'https://mixed.example/in',
    'https://metadata.example/in',
    'http://db.internal/',
  ];
  for (const url of PRIVATE) {
    it(`refuses ${url} as private, naming the field`, async () => {
      const answer = await register(url);
      assert.deepEqual([answer.status, answer.body.code], [422, 'private_address'], answer.text);
      assert.deepEqual([answer.body.errors[0].field, answer.body.errors[0].code], ['url', 'private_address']);
      assert.equal(await count(), 0);
    });
  }

  const BAD: [string, string][] = [
    ['not an address', 'invalid_url'],
    ['example.com/in', 'invalid_url'],
    ['http://', 'invalid_url'],
    ['https://exa\u0000mple.com/', 'control_character'],
    ['ftp://public.example/', 'invalid_scheme'],
    ['javascript:alert(1)', 'invalid_scheme'],
    ['https://user:pw@public.example/', 'userinfo_not_allowed'],
    ['http://public.example:25/', 'port_not_allowed'],
    ['http://public.example:6379/', 'port_not_allowed'],
    ['https://nowhere.example/', 'name_not_found'],
    [`https://public.example/${'x'.repeat(2_048)}`, 'too_long'],
    ['  ', 'required'],
  ];
  for (const [url, code] of BAD) {
    it(`refuses ${JSON.stringify(url.slice(0, 40))} and says why`, async () => {
      const answer = await register(url);
      assert.deepEqual([answer.status, answer.body.code, answer.body.errors[0].field], [422, 'validation_failed', 'url'], answer.text);
      if (!['control_character', 'too_long', 'required'].includes(code)) assert.equal(answer.body.errors[0].code, code);
      assert.equal(await count(), 0);
    });
  }

  for (const url of [
    'https://public.example/in?a=b',
    'http://public.example:8080/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]:8443/in',
  ])
    it(`accepts ${url}`, async () => assert.deepEqual([(await register(url)).status, await count()], [201, 1]));

  it('requires a URL and accepts no secret from the caller', async () => {
    for (const body of [{}, { url: 7 }, { url: null }])
      assert.equal((await service.call('POST', BASE, { as: 'owner', body })).body.code, 'validation_failed');
    const made = await service.call('POST', BASE, { as: 'owner', body: { url: receiver.url, secret: 'mine', isActive: false } });
    assert.notEqual(made.body.secret, 'mine');
    assert.equal(made.body.isActive, true);
  });
});

describe('the days of an endpoint', () => {
  it('count its deliveries by how they stand, days without one included, and are closed to others', async () => {
    const id = (await register()).body.id;
    const path = `${BASE}/${id}/days`;
    receiver.answer = (_request, response) => void response.end();
    for (const _ of [1, 2]) await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' });
    await service.drain();
    await service.query(
      "update delivery set status = 'failed', reason = 'attempts_exhausted' where id = (select max(id::text)::uuid from delivery where endpoint_id = $1)",
      [id],
    );
    const { status, body } = await service.call('GET', path, { as: 'moderator' });
    assert.equal(status, 200);
    assert.equal(body.length, 14);
    const sum = (name: string): number => body.reduce((total: number, day: Record<string, number>) => total + (day[name] ?? 0), 0);
    assert.deepEqual([sum('delivered'), sum('failed'), sum('pending')], [1, 1, 0]);
    assert.equal((await service.call('GET', path, { as: 'rivalOwner' })).body.code, 'not_found');
    assert.equal((await service.call('GET', path, { as: 'clientUser' })).body.code, 'role_forbidden');
  });

  it('leave out those that were not counted whole', async () => {
    const { id } = (await register()).body;
    const { partnerId } = service.world;
    // A zone in which the day does not end during the test.
    await service.query('update partner set timezone = $2 where id = $1', [partnerId, noonZone()]);
    for (const _ of [1, 2, 3]) await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' });
    await service.query(
      `with numbered as (select d.id, row_number() over (order by d.id) as n from delivery d where d.endpoint_id = $1)
       update delivery d set created_at = now() - interval '4 days' * (3 - n.n) / 2 from numbered n where n.id = d.id`,
      [id],
    );
    const daysOf = (countedMax: number) => service.db.asSystem('seed', (tx) => deliveryDays(tx, partnerId, id, countedMax));
    const all = await daysOf(4);
    assert.deepEqual(
      all.map((day) => day.pending),
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1],
    );
    assert.deepEqual(await daysOf(2), all.slice(-2));
    assert.deepEqual(await daysOf(1), []);
  });
});

describe('an endpoint', () => {
  it('is listed with its last delivery, newest first', async () => {
    const older = (await register()).body.id;
    const newer = (await register()).body.id;
    receiver.answer = (_request, response) => void response.writeHead(503).end();
    await service.call('POST', `${BASE}/${newer}/test`, { as: 'owner' });
    await service.drain();
    // Its next attempt is not due, however long the rest takes.
    await service.query("update delivery_queue set due_at = now() + interval '1 hour'");
    receiver.answer = (_request, response) => void response.end();
    await service.call('POST', `${BASE}/${older}/test`, { as: 'owner' });
    await service.drain();
    const { body } = await service.call('GET', BASE, { as: 'owner' });
    assert.deepEqual(
      body.map((one: { id: string }) => one.id),
      [newer, older],
    );
    assert.deepEqual(
      body.map((one: { recent: string[] }) => one.recent),
      [['pending'], ['delivered']],
    );
    assert.deepEqual(
      body.map((one: { lastDelivery: { status: string } }) => one.lastDelivery.status),
      ['pending', 'delivered'],
    );
    assert.deepEqual(Object.keys(body[0]).toSorted(), [
      'createdAt',
      'events',
      'failureStreak',
      'id',
      'isActive',
      'lastDelivery',
      'recent',
      'updatedAt',
      'url',
    ]);
  });

  it('gets another URL only through the same check, and pending deliveries go there', async () => {
    const { id } = (await register('http://receiver.test:1/')).body;
    const refused = await change(id, { url: 'https://private.example/' });
    assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].field], [422, 'private_address', 'url']);
    assert.equal((await change(id, { url: 'ftp://public.example/' })).body.errors[0].code, 'invalid_scheme');
    await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' });
    receiver.received.length = 0;
    const changed = await change(id, { url: receiver.url });
    assert.deepEqual([changed.status, changed.body.url, changed.body.isActive], [200, receiver.url, true]);
    await service.drain();
    assert.equal(receiver.received.length, 1);
    assert.deepEqual((await audited()).at(-1)?.changes, { url: ['http://receiver.test:1/', receiver.url] });
  });

  it('switched off fails what is queued with that reason and sends nothing; switched on it receives again', async () => {
    const { id } = (await register()).body;
    await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' });
    receiver.received.length = 0;
    assert.equal((await change(id, { isActive: false })).body.isActive, false);
    const [ended] = (await service.call('GET', `${BASE}/${id}/deliveries`, { as: 'owner' })).body;
    assert.deepEqual([ended.status, ended.reason, ended.nextAttemptAt], ['failed', 'endpoint_inactive', null]);
    assert.match(ended.explanation.message, /switched off/);
    await service.drain();
    assert.equal(receiver.received.length, 0);
    await change(id, { isActive: true });
    await service.publish();
    await service.drain();
    assert.equal(receiver.received.length, 1);
  });

  it('is not changed by a stale request, and an empty change changes nothing', async () => {
    const { id } = (await register()).body;
    const [{ updatedAt }] = (await service.call('GET', BASE, { as: 'owner' })).body;
    assert.equal((await change(id, {})).body.updatedAt, updatedAt);
    assert.equal((await change(id, { isActive: false }, { 'if-match': `"${updatedAt}"` })).status, 200);
    const stale = await change(id, { isActive: true }, { 'if-match': `"${updatedAt}"` });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_record']);
    assert.deepEqual(
      (await audited()).slice(-2).map(({ action }) => action),
      ['webhook.created', 'webhook.changed'],
      'one line per change',
    );
  });

  it('removed loses its secret; its deliveries stay until their retention ends, queued ones fail', async () => {
    const { id } = (await register()).body;
    await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' });
    assert.equal((await service.call('DELETE', `${BASE}/${id}`, { as: 'owner' })).status, 204);
    assert.deepEqual((await service.call('GET', BASE, { as: 'owner' })).body, []);
    const [row] = await service.query('select is_active, secret_sealed, secret_key_id from webhook_endpoint where id = $1', [id]);
    assert.deepEqual(row, { is_active: false, secret_sealed: null, secret_key_id: null });
    const rows = await service.deliveries();
    assert.deepEqual(
      rows.map((one) => [one.status, one.reason]),
      [['failed', 'endpoint_inactive']],
    );
    for (const [method, path] of [
      ['DELETE', ''],
      ['PATCH', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['GET', '/recoveries'],
    ] as const)
      assert.equal(
        (await service.call(method, `${BASE}/${id}${path}`, { as: 'owner', ...(method === 'PATCH' ? { body: {} } : {}) })).body.code,
        'not_found',
      );
  });
});

describe('access', () => {
  it('to endpoints: admins of the agency change them, moderators read them, staff, clients and other agencies neither', async () => {
    const { id } = (await register()).body;
    const none = { staff: 'role_forbidden', clientUser: 'role_forbidden' };
    const moderator = { ...none, moderator: 'partner_role_forbidden' };
    const foreign = { rivalOwner: 'not_found' };
    const deliveryId = newId();
    await service.assertRefused('GET', BASE, none);
    await service.assertRefused('POST', BASE, moderator, { url: receiver.url });
    await service.assertRefused('PATCH', `${BASE}/${id}`, { ...moderator, ...foreign }, { url: 'https://private.example/' });
    await service.assertRefused('DELETE', `${BASE}/${id}`, { ...moderator, ...foreign });
    await service.assertRefused('GET', `${BASE}/${id}/deliveries`, { ...none, ...foreign });
    await service.assertRefused('GET', `${BASE}/${id}/deliveries/stream`, { ...none, ...foreign });
    await service.assertRefused('POST', `${BASE}/${id}/test`, { ...moderator, ...foreign });
    await service.assertRefused('POST', `${BASE}/${id}/deliveries/${deliveryId}/redeliver`, { ...moderator, ...foreign });
    const window = { since: '2026-01-01T00:00:00.000Z', dryRun: true };
    await service.assertRefused('POST', `${BASE}/${id}/recover`, { ...moderator, ...foreign }, window);
    await service.assertRefused('GET', `${BASE}/${id}/recoveries`, { ...none, ...foreign });
    await service.assertRefused('POST', `${BASE}/${id}/recoveries/${deliveryId}/cancel`, { ...moderator, ...foreign });
    await service.assertRefused('GET', '/webhooks/event-types', { clientUser: 'role_forbidden' });
    const agency = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
    await service.assertRefused('GET', '/webhooks/endpoints', agency);
    for (const path of [BASE, `${BASE}/${id}/deliveries`, `${BASE}/${id}/recoveries`, '/webhooks/event-types'])
      assert.equal((await service.call('GET', path, { as: 'moderator' })).status, 200, path);
    assert.deepEqual((await service.call('GET', BASE, { as: 'rivalOwner' })).body, []);
    assert.equal(await count(), 1);
  });
});

describe('staff', () => {
  it('list the endpoints of all agencies, only failing ones, or one agency’s, page by page', async () => {
    const good = (await register()).body.id;
    const failing = (await register('http://127.0.0.1:1/')).body.id;
    const rival = (await register(receiver.url, 'rivalOwner')).body.id;
    await service.publish();
    await service.drain();
    for (let n = 0; n < 5; n += 1) {
      await service.query("update delivery_queue set due_at = now() - interval '1 second'");
      await service.drain();
    }
    const list = async (query: string) => (await service.call('GET', `/webhooks/endpoints${query}`, { as: 'staff' })).body;
    const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
    const all = await list('');
    assert.deepEqual(ids(all), [rival, failing, good]);
    const [, bad, fine] = all.data;
    assert.deepEqual(
      [bad.partnerName, bad.contactEmail, bad.failed24h, bad.delivered24h, bad.pending, bad.failureStreak, bad.lastDelivery.status],
      ['Acme Agency', 'owner@portal.test', 1, 0, 0, 1, 'failed'],
    );
    assert.deepEqual([fine.failed24h, fine.delivered24h, fine.failureStreak], [0, 1, 0]);
    assert.deepEqual(ids(await list('?failing=true')), [failing]);
    assert.deepEqual(ids(await list('?failing=false')), [rival, good]);
    assert.deepEqual(ids(await list(`?partnerId=${service.world.rivalPartnerId}`)), [rival]);
    assert.equal((await list(`?partnerId=${newId()}`)).code, 'not_found');
    const first = await list('?limit=2');
    assert.deepEqual([ids(first), ids(await list(`?limit=2&cursor=${first.nextCursor}`))], [[rival, failing], [good]]);
    assert.equal((await list(`?failing=true&cursor=${first.nextCursor}`)).code, 'invalid_cursor');
    const csv = async (query: string, as: Person = 'staff') => service.call('GET', `/webhooks/endpoints/export.csv${query}`, { as });
    const lines = (await csv('')).text.trimEnd().split('\r\n');
    assert.deepEqual([lines.length, lines[2]?.split(',').slice(0, 3)], [4, [failing, service.world.partnerId, 'Acme Agency']]);
    assert.equal((await csv('?failing=true')).text.trimEnd().split('\r\n').length, 2);
    assert.equal((await csv('', 'owner')).body.code, 'role_forbidden');
  });
});

describe('chosen events', () => {
  const registerFor = async (events: unknown) => service.call('POST', BASE, { as: 'owner', body: { url: receiver.url, events } });
  const deliveriesOf = async (endpoint: { id: string }) =>
    (await service.query<{ event_type: string }>('select event_type from delivery where endpoint_id = $1 order by id', [endpoint.id])).map(
      ({ event_type: type }) => type,
    );
  const publish = async () => {
    await service.publish();
    await service.drain();
  };

  it('an endpoint with chosen events has no delivery of another event, and one of each that is chosen', async () => {
    const all = (await register()).body;
    const none = (await registerFor([])).body;
    const invited = (await registerFor(['client_user.invited', 'client_user.invited'])).body;
    const suspended = (await registerFor(['account.suspended', 'webhook.test'])).body;
    await publish();
    assert.deepEqual(await Promise.all([all, none, invited, suspended].map(deliveriesOf)), [
      ['client_user.invited'],
      ['client_user.invited'],
      ['client_user.invited'],
      [],
    ]);
    const listed = (await service.call('GET', BASE, { as: 'owner' })).body as { id: string; events: string[] }[]; // looked at by the test
    assert.deepEqual(new Map(listed.map((one) => [one.id, one.events])).get(invited.id), ['client_user.invited']);
    assert.deepEqual(new Map(listed.map((one) => [one.id, one.events])).get(all.id), []);
  });

  it('can be changed, audited, and count from then on; a paused endpoint keeps chosen events only', async () => {
    const { id } = (await registerFor(['account.suspended'])).body;
    await publish();
    const changed = await change(id, { events: ['client_user.invited', 'account.suspended'] });
    assert.deepEqual([changed.status, changed.body.events], [200, ['account.suspended', 'client_user.invited']], changed.text);
    await publish();
    assert.deepEqual(await deliveriesOf({ id }), ['client_user.invited']);
    assert.deepEqual((await audited()).at(-1)?.changes, { events: [['account.suspended'], ['account.suspended', 'client_user.invited']] });
    await change(id, { isActive: false, events: ['account.suspended'] });
    await publish();
    assert.deepEqual(await deliveriesOf({ id }), ['client_user.invited']);
  });

  it('do not keep a test event back, which is sent by hand', async () => {
    const { id } = (await registerFor(['account.suspended'])).body;
    assert.equal((await service.call('POST', `${BASE}/${id}/test`, { as: 'owner' })).status, 202);
    assert.deepEqual(await deliveriesOf({ id }), ['webhook.test']);
  });

  it('of an unknown type are refused, and nothing is stored', async () => {
    const refused = await registerFor(['client.imagined']);
    assert.deepEqual([refused.status, refused.body.code], [422, 'validation_failed'], refused.text);
    assert.equal(await count(), 0);
    assert.equal((await registerFor(['account.suspended'])).status, 201);
  });
});
