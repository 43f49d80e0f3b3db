import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CAPS,
  applicationOf,
  apply,
  current,
  fresh,
  from,
  held,
  invite,
  sentTo,
  useStrangerMail,
} from '@partner-portal/tests/harness/stranger-mail.ts';
import { sql } from 'kysely';

/** Mail to addresses without an account, with a real mail server: what is above a cap waits. */

useStrangerMail();

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
    await current.service.assertRefused('POST', path, {
      owner: 'role_forbidden',
      moderator: 'role_forbidden',
      clientUser: 'role_forbidden',
    });
    const reply = await current.service.call('POST', path, { as: 'staff' });
    assert.deepEqual([reply.status, reply.body.mailWaits], [200, false]);
    assert.equal((await current.service.call('POST', path, { as: 'staff' })).status, 200, 'twice sends once');
    assert.ok((await sentTo()).includes(opened));
    assert.equal(current.smtp.received.length, CAPS.perNetwork + 1);
    // A decision needs no confirmation before it.
    const other = await applicationOf(decided);
    await current.service.call('POST', `/custom-plan-requests/${other.id}/reject`, { as: 'staff', body: { note: 'No.' } });
    assert.deepEqual(await held(), []);
    await current.runner.drain();
    assert.deepEqual(
      current.smtp.received.filter(({ to }) => to === decided).map(({ mail }) => mail.subject),
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
          (await current.service.call('POST', '/newsletter/subscribe', { body: { email }, headers: from(`198.51.100.${at + 1}`) })).status,
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
    await current.service.call('POST', '/newsletter/subscribe', { body: { email }, headers: from('198.51.100.200') });
    assert.equal((await invite(email, 'rivalOwner')).body.emailStatus, null);
    const { status, body } = await invite(email);
    assert.deepEqual([status, body.status, body.emailStatus], [201, 'pending', 'held']);
    assert.equal((await sentTo()).length, 3);
    const listed = await current.service.call('GET', '/invitations?limit=1', { as: 'owner' });
    assert.equal(listed.body.data[0].emailStatus, 'held');
    const [mail] = (await current.service.call('GET', '/provisioning/mail?status=held', { as: 'staff' })).body.data;
    assert.equal(mail.canRetry, true);
    assert.equal((await current.service.call('POST', `/provisioning/mail/${mail.id}/retry`, { as: 'staff' })).status, 200);
    assert.equal((await sentTo()).length, 4);
    assert.equal((await current.service.call('GET', '/invitations?limit=1', { as: 'owner' })).body.data[0].emailStatus, 'sent');
  });
});

describe('a mail that is held', () => {
  it('waits as long as its link is valid, and 90 days without one', async () => {
    await current.service.call('PATCH', '/partners/me', { as: 'owner', body: { name: 'PayPal Security' } });
    const invited = await invite(fresh());
    for (let n = 0; n <= CAPS.perNetwork; n += 1) await apply(fresh(), '203.0.113.50');
    const rows = () =>
      current.service.db.asSystem('seed', (tx) =>
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
    await current.service.db.asSystem('seed', (tx) =>
      sql`update mail set id = uuid_floor(now() - interval '31 days') where kind = 'application_received' and status = 'held'`.execute(tx),
    );
    await current.service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('mail')
        .set({ bodyUntil: new Date(Date.now() - 1000) })
        .where('kind', '=', 'invitation')
        .execute(),
    );
    await current.runner.runCron('mail.sweep');
    assert.deepEqual(
      (await rows()).map(({ kind, status, lastError }) => [kind, status, lastError]),
      [
        ['application_received', 'held', null],
        ['invitation', 'failed', 'expired'],
      ],
    );
    const listed = await current.service.call('GET', '/invitations?limit=1', { as: 'owner' });
    assert.deepEqual([listed.body.data[0].id, listed.body.data[0].emailStatus], [invited.body.id, 'failed']);
  });
});
