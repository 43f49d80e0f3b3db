import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NOTIFICATION_TYPES } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES } from '@partner-portal/core/notification/notification.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { openNotices, type Notices } from '#platform/notify.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { mailerTo, startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { type Notifications, notifications } from './index.ts';
import type { NewNotification } from './notify.ts';

/** The header of a mail that arrived, and what the address in it does. */

const AT_NINE = new Date('2026-11-23T09:00:00Z');
let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;
let notices: Notices;
let module: Notifications;
let count = 0;

before(async () => {
  smtp = await startSmtp({});
  service = await startTestService({
    mailer: mailerTo(smtp),
    modules: (platform) => {
      notices = openNotices(platform.database.configFor('portal_service'), platform.log);
      module = notifications({
        ...platform,
        notices,
        clock: { now: () => AT_NINE },
        queueMail: platform.mail.queueMail,
        cancelKeyed: platform.mail.cancelKeyed,
        links: platform.mail.links,
      });
      return [module, platform.mail];
    },
  });
  runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: service.mail.jobs, crons: [], log: service.log });
});
after(async () => {
  await runner.stop(0);
  await notices.close();
  await service.close();
  await smtp.stop();
});
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    for (const table of ['notification', 'notificationPreference', 'notificationDigest', 'mail'] as const)
      await tx.deleteFrom(table).execute();
    await tx.deleteFrom('auditEntry').where('action', '=', 'notification.preferences_changed').execute();
    await tx.updateTable('appUser').set({ timezone: 'UTC' }).execute();
  });
  await runner.drain();
  smtp.received.length = 0;
});

const idOf = (person: Person): string => service.world.people[person].userId;
/** Notifies the owner and returns the mail that arrived, if any. */
async function mailed(over: Partial<NewNotification> = {}) {
  count += 1;
  const { partnerId } = service.world;
  const one: NewNotification = {
    partnerId,
    clientId: null,
    userIds: [idOf('owner')],
    type: 'agent_request_failed',
    tone: 'bad',
    title: 'Text back was not installed',
    body: 'The engine did not answer.',
    href: '/dashboard/requests',
    subject: 'agent_request:1',
    dedupeKey: `fact:${count}`,
    ...over,
  };
  smtp.received.length = 0;
  await service.db.asSystem('events', (tx) => module.notify(tx, one));
  await runner.drain();
  return smtp.received[0];
}
const headerOf = (mail: Awaited<ReturnType<typeof mailed>>, name: string) => mail?.mail.headers.find(({ key }) => key === name)?.value;
/** Path of the one-click address of a mail. */
function pathOf(mail: Awaited<ReturnType<typeof mailed>>): string {
  assert.equal(headerOf(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const url = new URL(/^<(.+)>$/.exec(headerOf(mail, 'list-unsubscribe') ?? '')?.[1] ?? '');
  assert.equal(url.origin, service.baseUrl);
  return url.pathname + url.search;
}
/** The request of a mail program (RFC 8058). */
const click = (path: string) =>
  service.call('POST', path, {
    rawBody: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const entries = () =>
  service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('auditEntry')
      .select(['actorType', 'targetId', 'changes'])
      .where('action', '=', 'notification.preferences_changed')
      .execute(),
  );

describe('one click in the mail program', () => {
  it('also cancels mail of its type that waits, and no other', async () => {
    const path = pathOf(await mailed());
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    await mailed();
    await mailed({ type: 'usage_threshold' });
    await mailed({ userIds: [idOf('moderator')] });
    smtp.behaviour.recipient = undefined;
    assert.equal((await click(path)).status, 204);
    const waiting = await service.database.query<{ status: string; toAddress: string }>(
      `select status, to_address as "toAddress" from mail where status <> 'sent' order by id`,
    );
    const { owner, moderator } = service.world.people;
    assert.deepEqual(waiting, [
      { status: 'cancelled', toAddress: owner.email },
      { status: 'queued', toAddress: owner.email },
      { status: 'queued', toAddress: moderator.email },
    ]);
  });

  it('ends mail of its type and leaves the bell', async () => {
    const path = pathOf(await mailed());
    assert.equal((await click(path)).status, 204);
    assert.equal(await mailed(), undefined);
    assert.equal((await service.call('GET', '/notifications', { as: 'owner' })).body.data.length, 2);
    assert.ok(await mailed({ type: 'agent_request_suggested' }), 'other types are still mailed');
    assert.ok(await mailed({ userIds: [idOf('moderator')] }), 'and so are other people');
    assert.equal((await click(path)).status, 204, 'repeating it changes nothing');
    const [entry, ...more] = await entries();
    assert.deepEqual([entry?.actorType, entry?.targetId, more.length], ['system', idOf('owner'), 0]);
    assert.deepEqual(entry?.changes, { agent_request_failed: ['in the bell, mail now', 'in the bell, mail off'] });
  });

  it('brings back the bell of a type that was only mailed', async () => {
    const path = pathOf(await mailed());
    const body = { agent_request_failed: { inApp: false, email: 'now' } };
    assert.equal((await service.call('PUT', '/notifications/preferences', { as: 'owner', body })).status, 200);
    assert.equal((await click(path)).status, 204);
    const { inApp, email } = (await service.call('GET', '/notifications/preferences', { as: 'owner' })).body.agent_request_failed;
    assert.deepEqual([inApp, email], [true, 'off']);
    await mailed();
    assert.ok((await service.call('GET', '/notifications', { as: 'owner' })).body.data.length > 0);
  });

  it('in a digest ends what is mailed daily, and nothing that is mailed at once', async () => {
    await mailed({ type: 'agent_request_resolved' });
    await module.sendDigests();
    await runner.drain();
    const [digest] = smtp.received;
    assert.ok(digest);
    const text = digest.mail.text?.replaceAll('\n', ' ') ?? '';
    assert.match(text, /because you have an account with Acme Agency/, 'no one turned it on');
    assert.equal((await click(pathOf(digest))).status, 204);
    const { body } = await service.call('GET', '/notifications/preferences', { as: 'owner' });
    const paces = Object.values<{ email: string }>(body).map(({ email }) => email);
    assert.deepEqual([paces.includes('daily'), paces.includes('now'), paces.includes('off')], [false, true, true]);
  });

  it('is not offered by mail that cannot be switched off', async () => {
    const fixed = await mailed({ type: 'security' });
    assert.ok(fixed);
    assert.deepEqual([headerOf(fixed, 'list-unsubscribe'), headerOf(fixed, 'list-unsubscribe-post')], [undefined, undefined]);
  });
});

describe('the address', () => {
  it('is offered by mail of every type that can be switched off, and by no other', async () => {
    for (const type of NOTIFICATION_TYPES) {
      const { roles, emailFixed } = NOTIFICATION_RULES[type];
      const reader: Person = roles.includes('PARTNER') ? 'owner' : 'staff';
      if (!emailFixed)
        await service.db.asSystem('seed', (tx) =>
          tx
            .insertInto('notificationPreference')
            .values({ userId: idOf(reader), partnerId: service.world.people[reader].partnerId, type, inApp: true, email: 'now' })
            .execute(),
        );
      const arrived = await mailed({ type, userIds: [idOf(reader)] });
      assert.ok(arrived, type);
      assert.equal(arrived.raw.includes('List-Unsubscribe-Post: '), !emailFixed, type);
      const text = arrived.mail.text?.replaceAll('\n', ' ') ?? '';
      assert.equal(text.includes('Change your e-mail notifications'), !emailFixed, `the text of ${type}`);
      assert.match(text, /because you have an account with/);
    }
  });

  it('acts by POST alone, without a login', async () => {
    const path = pathOf(await mailed());
    const opened = await service.call('GET', path);
    assert.equal(opened.status, 302);
    const page = new URL(String(opened.headers['location']), service.baseUrl);
    assert.deepEqual([page.pathname, page.searchParams.get('list')], ['/unsubscribe', 'notifications']);
    assert.ok(await mailed(), 'opening it changed nothing');
    // The button of the page sends JSON or nothing.
    assert.equal(
      (await service.call('POST', `${new URL(path, service.baseUrl).pathname}?token=${page.searchParams.get('token')}`)).status,
      204,
    );
    assert.equal(await mailed(), undefined);
  });

  it('takes no token of another purpose or person, or one that was changed', async () => {
    const { links } = service.mail;
    const subject = [idOf('owner'), 'agent_request_failed'];
    const good = links.seal('notifications-off', subject);
    const moderators = links.seal('notifications-off', [idOf('moderator'), 'agent_request_failed']);
    const spliced = `${moderators.split('.')[0]}.${good.split('.')[1]}`;
    for (const token of [
      links.seal('newsletter-off', subject),
      links.seal('notifications-off', [idOf('owner'), 'nothing']),
      spliced,
      'x',
      '',
    ])
      assert.equal((await click(`/notifications/unsubscribe?token=${token}`)).status, 404, token);
    assert.ok(await mailed());
    assert.equal((await click(`/notifications/unsubscribe?token=${good}`)).status, 204);
    assert.equal(await mailed(), undefined);
  });
});
