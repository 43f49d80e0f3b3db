import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createMailer } from '#adapters/mailer.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { nameReviews } from '#modules/2-tenancy/name-reviews/index.ts';
import { newsletter } from '#modules/2-tenancy/newsletter/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { sql } from 'kysely';
import { planRequests } from './index.ts';

/** Mail to addresses without an account, with a real mail server: what is above a cap, or under a name that staff have not approved, waits. */

const CAPS = { perAddress: 3, perNetwork: 4, perPlatform: 6 };
let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;
let planId: string;

async function start(): Promise<void> {
  const settings = {
    host: '127.0.0.1',
    port: smtp.port,
    user: null,
    password: null,
    from: 'no-reply@mail.example',
    security: 'none',
  } as const;
  service = await startTestService({
    mailer: createMailer(settings),
    strangerMail: CAPS,
    trustedProxies: ['127.0.0.1'],
    modules: (platform) => [
      platform.mail,
      planRequests(platform),
      invitations(platform),
      newsletter(platform),
      clients(platform),
      partners(platform),
      nameReviews(platform),
      workQueue(platform),
    ],
  });
  runner = createRunner({
    address: service.database.configFor('portal_queue'),
    jobs: service.mail.jobs,
    crons: [...service.mail.crons, ...nameReviews(service).crons],
    log: service.log,
  });
  planId = await service.db.asSystem(
    'seed',
    async (tx) => (await tx.selectFrom('plan').select('id').where('isActive', '=', true).executeTakeFirstOrThrow()).id,
  );
}
before(async () => {
  smtp = await startSmtp({ startTls: false });
});
// Counters are of the service, so each test has its own.
beforeEach(async () => {
  if (service) await stop();
  smtp.received.length = 0;
  await start();
});
after(async () => {
  await stop();
  await smtp.stop();
});
async function stop(): Promise<void> {
  await runner.stop(0);
  await service.close();
}

let count = 0;
const fresh = () => `applicant${(count += 1)}@strangers.example`;
const from = (address: string) => ({ 'x-forwarded-for': address });
const apply = (email: string, address = `203.0.113.${(count += 1) % 250}`, more: object = {}, path = '/auth/register') =>
  service.call('POST', path, {
    body: { email, fullName: 'Ada Applicant', companyName: `Company ${count}`, acceptTerms: true, ...more },
    headers: from(address),
  });
const invite = (email: string, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('POST', '/invitations', {
    as,
    body: { kind: 'client_user', email, clientId: as === 'owner' ? service.world.clientId : service.world.rivalClientId },
  });
const applicationOf = async (email: string) => {
  const { body } = await service.call('GET', '/custom-plan-requests?status=pending&limit=100', { as: 'staff' });
  return body.data.find((one: { applicant: { email: string } }) => one.applicant.email === email);
};
const sentTo = async (): Promise<string[]> => {
  await runner.drain();
  return smtp.received.map(({ to }) => to).toSorted();
};
const held = async (): Promise<string[]> =>
  (await service.call('GET', '/provisioning/mail?status=held&limit=100', { as: 'staff' })).body.data.map(
    ({ to, heldFor }: { to: string; heldFor: string }) => `${heldFor} ${to}`,
  );

describe('applications of one network', () => {
  it('are all kept and answered alike; mails end at the cap, and the rest is sent when staff open it', async () => {
    const emails = Array.from({ length: CAPS.perNetwork + 2 }, fresh);
    const replies = [];
    for (const [at, email] of emails.entries())
      replies.push(await apply(email, `203.0.113.${at + 1}`.replace(/\d+$/, '7'), {}, at % 2 ? '/auth/register-trial' : '/auth/register'));
    assert.deepEqual(new Set(replies.map(({ status, body }) => `${status} ${Object.keys(body)} ${body.planRequest.status}`)).size, 1);
    assert.deepEqual(await sentTo(), emails.slice(0, CAPS.perNetwork).toSorted());
    const waiting = emails.slice(CAPS.perNetwork);
    assert.deepEqual((await held()).toSorted(), waiting.map((email) => `cap ${email}`).toSorted());
    for (const email of emails) assert.equal((await applicationOf(email)).mailWaits, waiting.includes(email), email);
    const [opened = '', decided = ''] = waiting;
    const { id } = await applicationOf(opened);
    const path = `/custom-plan-requests/${id}/send-mail`;
    await service.assertRefused('POST', path, { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' });
    const reply = await service.call('POST', path, { as: 'staff' });
    assert.deepEqual([reply.status, reply.body.mailWaits], [200, false]);
    assert.equal((await service.call('POST', path, { as: 'staff' })).status, 200, 'twice sends once');
    assert.ok((await sentTo()).includes(opened));
    assert.equal(smtp.received.length, CAPS.perNetwork + 1);
    // A decision needs no confirmation before it.
    const other = await applicationOf(decided);
    await service.call('POST', `/custom-plan-requests/${other.id}/reject`, { as: 'staff', body: { note: 'No.' } });
    assert.deepEqual(await held(), []);
    await runner.drain();
    assert.deepEqual(
      smtp.received.filter(({ to }) => to === decided).map(({ mail }) => mail.subject),
      ['About your application'],
    );
  });

  it('count also for an address that has an account, which gets its mail as others do', async () => {
    for (let n = 0; n < CAPS.perNetwork - 1; n += 1) await apply(fresh(), '203.0.113.9');
    await apply('owner@portal.test', '203.0.113.9');
    const late = fresh();
    await apply(late, '203.0.113.9');
    await apply('rivalowner@portal.test', '203.0.113.9');
    assert.deepEqual((await held()).toSorted(), [`cap ${late}`, 'cap rivalowner@portal.test']);
    assert.ok((await sentTo()).includes('owner@portal.test'));
  });
});

describe('mails of the platform within an hour', () => {
  it('end for forms together, whoever asks, and invitations have their own', async () => {
    const emails = Array.from({ length: CAPS.perPlatform }, fresh);
    for (const [at, email] of emails.entries())
      if (at % 2) await apply(email);
      else
        assert.equal(
          (await service.call('POST', '/newsletter/subscribe', { body: { email }, headers: from(`198.51.100.${at + 1}`) })).status,
          202,
        );
    const late = fresh();
    await apply(late);
    assert.deepEqual(await held(), [`cap ${late}`]);
    const invited = await invite(fresh());
    assert.deepEqual([invited.status, invited.body.emailStatus], [201, null]);
    assert.equal((await sentTo()).length, CAPS.perPlatform + 1);
  });

  it('and of one address end for all agencies and forms together; the invitation is made, and says that its mail waits', async () => {
    const email = fresh();
    await apply(email);
    await service.call('POST', '/newsletter/subscribe', { body: { email }, headers: from('198.51.100.200') });
    assert.equal((await invite(email, 'rivalOwner')).body.emailStatus, null);
    const { status, body } = await invite(email);
    assert.deepEqual([status, body.status, body.emailStatus], [201, 'pending', 'held']);
    assert.equal((await sentTo()).length, 3);
    const listed = await service.call('GET', '/invitations?limit=1', { as: 'owner' });
    assert.equal(listed.body.data[0].emailStatus, 'held');
    const [mail] = (await service.call('GET', '/provisioning/mail?status=held', { as: 'staff' })).body.data;
    assert.equal(mail.canRetry, true);
    assert.equal((await service.call('POST', `/provisioning/mail/${mail.id}/retry`, { as: 'staff' })).status, 200);
    assert.equal((await sentTo()).length, 4);
    assert.equal((await service.call('GET', '/invitations?limit=1', { as: 'owner' })).body.data[0].emailStatus, 'sent');
  });
});

describe('a mail that is held', () => {
  it('waits as long as its link is valid, and 90 days without one', async () => {
    await service.call('PATCH', '/partners/me', { as: 'owner', body: { name: 'PayPal Security' } });
    const invited = await invite(fresh());
    for (let n = 0; n <= CAPS.perNetwork; n += 1) await apply(fresh(), '203.0.113.50');
    const rows = () =>
      service.db.asSystem('seed', (tx) =>
        tx
          .selectFrom('mail')
          .select(['id', 'kind', 'status', 'lastError', 'createdAt', 'bodyUntil'])
          .where('heldFor', 'is not', null)
          .orderBy('kind')
          .execute(),
      );
    const days = (await rows()).map(({ kind, createdAt, bodyUntil }) => [
      kind,
      Math.round((bodyUntil.getTime() - createdAt.getTime()) / 86_400_000),
    ]);
    assert.deepEqual(days, [
      ['application_received', 90],
      ['invitation', 7],
    ]);
    // Past the 30 days of other rows nothing is lost.
    await service.db.asSystem('seed', (tx) =>
      sql`update mail set id = uuid_floor(now() - interval '31 days') where kind = 'application_received' and status = 'held'`.execute(tx),
    );
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('mail').set({ bodyUntil: new Date() }).where('kind', '=', 'invitation').execute(),
    );
    await runner.runCron('mail.sweep');
    assert.deepEqual(
      (await rows()).map(({ kind, status, lastError }) => [kind, status, lastError]),
      [
        ['application_received', 'held', null],
        ['invitation', 'failed', 'expired'],
      ],
    );
    const listed = await service.call('GET', '/invitations?limit=1', { as: 'owner' });
    assert.deepEqual([listed.body.data[0].id, listed.body.data[0].emailStatus], [invited.body.id, 'failed']);
  });
});

describe('a name that resembles a bank’s', () => {
  const rename = (name: string, as: 'owner' | 'rivalOwner' = 'owner') => service.call('PATCH', '/partners/me', { as, body: { name } });
  const queued = async () =>
    (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body.filter(({ kind }: { kind: string }) => kind === 'name_review');

  it('holds the agency’s mail to strangers until staff approve it once; nothing else stops', async () => {
    assert.equal((await rename('РayPаl Security')).status, 200);
    const email = fresh();
    assert.equal((await invite(email)).body.emailStatus, 'held');
    // One with an account elsewhere must not be told apart.
    assert.equal((await invite('rivalowner@portal.test')).body.emailStatus, 'held');
    assert.deepEqual([await sentTo(), (await invite(fresh(), 'rivalOwner')).body.emailStatus], [[], null]);
    const [item, ...rest] = await queued();
    assert.deepEqual([item.title, item.partnerId, rest], ['Name of РayPаl Security', service.world.partnerId, []]);
    assert.match(item.detail, /Resembles PayPal/);
    const path = `/provisioning/name-reviews/${item.itemId}`;
    await service.assertRefused(
      'POST',
      `${path}/approve`,
      { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' },
      {},
    );
    await service.assertRefused('POST', `${path}/reject`, { owner: 'role_forbidden', clientUser: 'role_forbidden' }, { note: 'x' });
    await service.assertRefused('GET', path, { owner: 'role_forbidden', clientUser: 'role_forbidden' });
    assert.equal((await service.call('GET', path, { as: 'staff' })).body.waitingMails, 2);
    const rejected = await service.call('POST', `${path}/reject`, { as: 'staff', body: { note: 'Not theirs' } });
    assert.deepEqual([rejected.status, rejected.body.status, rejected.body.note], [200, 'rejected', 'Not theirs']);
    assert.deepEqual([await queued(), (await held()).length], [[], 2]);
    assert.equal((await service.call('POST', `${path}/reject`, { as: 'staff', body: { note: 'x' } })).body.code, 'invalid_state');
    const approved = await service.call('POST', `${path}/approve`, { as: 'staff', body: {} });
    assert.deepEqual([approved.body.status, approved.body.waitingMails], ['approved', 0]);
    assert.ok((await sentTo()).includes(email));
    assert.equal((await invite(fresh())).body.emailStatus, null);
    // The same name stays approved; another one is looked at.
    assert.equal((await rename('Acme Agency')).status, 200);
    assert.equal((await invite(fresh())).body.emailStatus, null);
    const actions = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select('action')
        .where('action', 'like', 'name\\_review.%')
        .where('result', '=', 'ok')
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['name_review.opened', 'name_review.rejected', 'name_review.approved'],
    );
  });

  it('of a client holds only what names that client', async () => {
    const made = await service.call('POST', '/clients', { as: 'owner', body: { name: 'Wells Fargo Support', inviteEmail: fresh() } });
    assert.deepEqual([made.status, made.body.invitation.emailStatus], [201, 'held']);
    assert.equal((await invite(fresh())).body.emailStatus, null);
    const [item] = await queued();
    assert.equal((await service.call('POST', `/provisioning/name-reviews/${item.itemId}/approve`, { as: 'staff', body: {} })).status, 200);
    assert.equal((await sentTo()).length, 2);
    // A harmless name leaves nothing to look at.
    await service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name: 'HSBC Alerts' } });
    assert.equal((await queued()).length, 1);
    await service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name: 'Oak Plumbing' } });
    assert.deepEqual(await queued(), []);
  });

  it('that was changed keeps its mail, also when staff approve another one', async () => {
    const email = fresh();
    const made = await service.call('POST', '/clients', { as: 'owner', body: { name: 'PayPal Security', inviteEmail: email } });
    const approve = async () => {
      for (const { itemId } of await queued())
        assert.equal((await service.call('POST', `/provisioning/name-reviews/${itemId}/approve`, { as: 'staff', body: {} })).status, 200);
    };
    const call = (name: string) => service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name } });
    const other = fresh();
    await call('Oak Plumbing');
    await service.call('POST', '/clients', { as: 'owner', body: { name: 'Square', inviteEmail: other } });
    await approve();
    assert.deepEqual(await sentTo(), [other]);
    await call('Target');
    const [review] = (await service.call('GET', '/provisioning/name-reviews?status=pending', { as: 'staff' })).body.data;
    assert.deepEqual([review.name, review.waitingMails], ['Target', 0]);
    await approve();
    assert.deepEqual([await sentTo(), await held()], [[other], [`name ${email}`]]);
    // Its own name, which staff see again, is what it waits for.
    await call('PayPal Security');
    await approve();
    assert.deepEqual(await sentTo(), [email, other].toSorted());
  });

  it('is found where it was saved before the rule, and looked at once', async () => {
    await service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('partner').set({ name: 'Coinbase Service' }).where('id', '=', service.world.rivalPartnerId).execute();
      await tx.updateTable('client').set({ name: 'Apple Support' }).where('id', '=', service.world.clientId).execute();
    });
    await runner.runCron('name-reviews.look');
    const items = await queued();
    assert.deepEqual(items.map(({ title }: { title: string }) => title).toSorted(), ['Name of Apple Support', 'Name of Coinbase Service']);
    const all = (await service.call('GET', '/provisioning/name-reviews?status=pending', { as: 'staff' })).body.data;
    for (const { id } of all) await service.call('POST', `/provisioning/name-reviews/${id}/approve`, { as: 'staff', body: {} });
    // The next version of the rule looks at all names again, and not at those that were decided.
    await service.db.asSystem('seed', (tx) => tx.updateTable('nameRule').set({ version: 0 }).execute());
    await runner.runCron('name-reviews.look');
    assert.deepEqual(await queued(), []);
  });

  it('is approved by staff who save it, and shown to them with an application', async () => {
    const email = fresh();
    await apply(email, '198.51.100.77', { companyName: 'Pay-Pal Verification' });
    const application = await applicationOf(email);
    assert.equal(application.nameResembles, 'PayPal');
    const { body } = await service.call('POST', `/custom-plan-requests/${application.id}/approve`, { as: 'staff', body: { planId } });
    assert.equal(body.invitation.emailStatus, null);
    const [review] = (await service.call('GET', '/provisioning/name-reviews', { as: 'staff' })).body.data;
    assert.deepEqual([review.name, review.status, review.partnerId], ['Pay-Pal Verification', 'approved', body.partner.id]);
    const plain = fresh();
    await apply(plain, '198.51.100.78');
    assert.equal((await applicationOf(plain)).nameResembles, null);
  });
});
