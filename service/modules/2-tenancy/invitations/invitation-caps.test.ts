import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { type ReactionService, startReactionService } from '@partner-portal/tests/harness/reactions.ts';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { invitations } from './index.ts';

const CAPS = { perHour: 6, perDay: 9, trialPerHour: 2, trialPerDay: 3 };
let service: TestService;
/** A second process on the same database: its own pool and its own counters in memory. */
let other: TestService;
let watch: ReactionService;
before(async () => {
  const modules = (platform: TestService) => {
    const deps = { ...platform, invitationCaps: CAPS };
    return [invitations(deps), clients(deps)];
  };
  service = await startTestService({ modules: (platform) => modules(platform as TestService) });
  const { database, world } = service;
  other = await startTestService({ database, world, modules: (platform) => modules(platform as TestService) });
  watch = await startReactionService(service);
  await watch.query('update plan set included_clients = 100');
});
after(async () => {
  await watch.close();
  await other.close();
  await service.close();
});
beforeEach(async () => {
  await watch.query('delete from mail');
  await watch.query("update subscription set status = 'active'");
});

let made = 0;
const invite = (as: 'owner' | 'rivalOwner' = 'owner', on = service): Promise<TestReply> => {
  const clientId = as === 'owner' ? service.world.clientId : service.world.rivalClientId;
  return on.call('POST', '/invitations', { as, body: { kind: 'client_user', email: `stranger${(made += 1)}@elsewhere.test`, clientId } });
};
const resend = (id: string): Promise<TestReply> => service.call('POST', `/invitations/${id}/resend`, { as: 'owner', body: {} });
const addClient = (): Promise<TestReply> =>
  service.call('POST', '/clients', { as: 'owner', body: { name: `Client ${(made += 1)}`, inviteEmail: `client${made}@elsewhere.test` } });
const statuses = (replies: TestReply[]): number[] => replies.map((reply) => reply.status).toSorted((a, b) => a - b);
/** Moves all invitation mails into the past. */
const age = (interval: string) => watch.query(`update mail set created_at = created_at - interval '${interval}'`);
const mailed = async (): Promise<number> => (await watch.query("select 1 from mail where kind = 'invitation'")).length;

describe('invitation mails of one agency', () => {
  it('end at the cap of the hour, new, resent and with a client, and the refusal names the limit', async () => {
    const first = await invite();
    assert.equal(first.status, 201);
    assert.equal((await addClient()).status, 201);
    for (let sent = 2; sent < CAPS.perHour; sent += 1)
      assert.equal((await (sent % 2 ? invite() : resend(first.body.id))).status, sent % 2 ? 201 : 200);
    for (const refused of [await invite(), await resend(first.body.id), await addClient()]) {
      assert.deepEqual([refused.status, refused.body.code, refused.body.limit, refused.body.used], [429, 'rate_limited', 6, 6]);
      assert.match(refused.body.detail, /^Your agency may send 6 invitations an hour\. The next one is possible in \d+ minutes\.$/);
      assert.equal(Number(refused.headers['retry-after']), refused.body.retryAfterSeconds);
      assert.ok(refused.body.retryAfterSeconds > 3500 && refused.body.retryAfterSeconds <= 3600);
    }
    assert.equal(await mailed(), CAPS.perHour);
    const clientsNow = await service.call('GET', '/clients?limit=100', { as: 'owner' });
    assert.equal(
      clientsNow.body.data.filter((one: { name: string }) => /^Client \d+$/.test(one.name)).length,
      1,
      'a refused client is not created',
    );
  });

  it('of another agency have their own cap', async () => {
    for (let sent = 0; sent < CAPS.perHour; sent += 1) await invite();
    assert.equal((await invite()).status, 429);
    for (let sent = 0; sent < CAPS.perHour; sent += 1) assert.equal((await invite('rivalOwner')).status, 201);
    assert.equal((await invite('rivalOwner')).status, 429);
  });

  it('are possible again after an hour, until the cap of the day', async () => {
    for (let sent = 0; sent < CAPS.perHour; sent += 1) await invite();
    await age('61 minutes');
    for (let sent = CAPS.perHour; sent < CAPS.perDay; sent += 1) assert.equal((await invite()).status, 201);
    const refused = await invite();
    assert.deepEqual([refused.status, refused.body.limit], [429, CAPS.perDay]);
    assert.match(refused.body.detail, /^Your agency may send 9 invitations a day\. The next one is possible in 23 hours\.$/);
    await age('23 hours');
    assert.equal((await invite()).status, 201);
  });

  it('of a trial have a lower cap', async () => {
    await watch.query("update subscription set status = 'trialing' where partner_id = $1", [service.world.partnerId]);
    assert.deepEqual(statuses([await invite(), await invite(), await invite()]), [201, 201, 429]);
    await age('61 minutes');
    const replies = [await invite(), await invite()];
    assert.deepEqual(statuses(replies), [201, 429]);
    assert.equal(replies[1]?.body.limit, CAPS.trialPerDay);
    assert.equal((await invite('rivalOwner')).status, 201);
  });

  it('never exceed the cap, also when sent at once through two processes', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => invite('owner', n % 2 === 0 ? service : other)));
    assert.deepEqual(statuses(replies), [...Array.from({ length: 6 }, () => 201), ...Array.from({ length: 18 }, () => 429)]);
    assert.equal(await mailed(), CAPS.perHour);
  });

  it('count when they were sent: one that was rolled back uses nothing', async () => {
    const [{ email } = { email: '' }] = await watch.query<{ email: string }>('select email from app_user where partner_id = $1 limit 1', [
      service.world.partnerId,
    ]);
    const clientId = service.world.clientId;
    for (let n = 0; n < CAPS.perHour; n += 1)
      assert.equal(
        (await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'client_user', email, clientId } })).status,
        409,
      );
    assert.equal((await invite()).status, 201);
  });
});

describe('a burst of invitations', () => {
  it('notifies staff once a day, at half of the hourly cap, by bell and mail, and is in the audit log', async () => {
    await watch.settle();
    const [{ now: startedAt } = { now: '' }] = await watch.query<{ now: string }>('select now()');
    await watch.query('delete from notification');
    await watch.query('delete from mail');
    const bell = async () => (await watch.bell('staff')).filter((title) => /invitations/.test(title));
    for (let sent = 0; sent < 2; sent += 1) await invite();
    await watch.settle();
    assert.deepEqual(await bell(), []);
    for (let sent = 2; sent < CAPS.perHour; sent += 1) await invite();
    await watch.settle();
    assert.deepEqual(await bell(), ['Acme Agency sends many invitations']);
    const mails = (await watch.mails()).filter((mail) => /invitations/.test(mail.subject));
    assert.deepEqual(
      mails.map((mail) => [mail.to, mail.kind]),
      [[service.world.people.staff.email, 'notification']],
    );
    await age('61 minutes');
    for (let sent = 0; sent < 3; sent += 1) await invite();
    await watch.settle();
    const entries = await watch.query<{ actor_type: string; day: string }>(
      "select actor_type, (at at time zone 'UTC')::date::text as day from audit_entry where action = 'invitation.burst_noticed' and partner_id = $1 and at >= $2",
      [service.world.partnerId, startedAt],
    );
    assert.deepEqual(
      entries.map((entry) => entry.actor_type),
      ['system', 'system'],
    );
    assert.equal((await bell()).length, new Set(entries.map((entry) => entry.day)).size, 'the next burst of the same day is the same fact');
  });
});
