import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import { createMailer } from '#adapters/mailer.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { users } from '#modules/2-tenancy/users/index.ts';
import { addPartner } from '@partner-portal/tests/harness/world.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { newId } from '#platform/ids.ts';
import { Secret } from '#platform/secret.ts';
import type { NewMail } from './compose/kinds.ts';
import { postponeDue } from './store.ts';

/** A mail from the transaction of its cause to a real mail server, and what remains stored. */

const PASSWORD = 'smtp-password-of-the-tests';
let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;
let lines: string[];

before(async () => {
  lines = [];
  smtp = await startSmtp({ user: { name: 'portal', password: PASSWORD } });
  const settings = {
    host: '127.0.0.1',
    port: smtp.port,
    user: 'portal',
    password: new Secret(PASSWORD),
    from: 'no-reply@mail.example',
    security: 'auto',
  } as const;
  const mailer = createMailer(settings, { ca: smtp.certificate.cert });
  service = await startTestService({
    mailer,
    logLine: (line) => lines.push(line),
    modules: (platform) => [platform.mail, invitations(platform), team(platform), clients(platform), users(platform)],
  });
  runner = createRunner({
    address: service.database.configFor('portal_queue'),
    jobs: service.mail.jobs,
    crons: service.mail.crons,
    log: service.log,
  });
});
after(async () => {
  await runner.stop(0);
  await service.close();
  await smtp.stop();
});
beforeEach(async () => {
  smtp.behaviour.recipient = undefined;
  smtp.behaviour.beforeAnswer = undefined;
  smtp.behaviour.dropAfterMessage = undefined;
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('mail').execute();
    await tx.deleteFrom('invitation').execute();
    await tx
      .updateTable('partner')
      .set({ name: 'Acme Agency', brandColor: '#ffd400', supportEmail: 'help@acme.example', logoUrl: 'https://acme.example/logo.png' })
      .where('id', '=', service.world.partnerId)
      .execute();
  });
  // Jobs left by an earlier test find no mail to send.
  await runner.drain();
  smtp.received.length = 0;
});

const rows = () => service.db.asSystem('seed', (tx) => tx.selectFrom('mail').selectAll().orderBy('id').execute());
async function row() {
  const [only, ...others] = await rows();
  assert.ok(only && others.length === 0, 'one mail');
  return only;
}
/** Makes all queued mail due and runs the sweep, as in production. */
async function letTimePass(): Promise<void> {
  const past = new Date(Date.now() - 120_000);
  await service.db.asSystem('seed', (tx) => tx.updateTable('mail').set({ dueAt: past }).where('dueAt', 'is not', null).execute());
  await runner.runCron('mail.sweep');
  await runner.drain();
}
const invite = (email: string, extra: object = {}) =>
  service.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email, ...extra } });
const emailStatus = async (id: string) =>
  (await service.call('GET', '/invitations', { as: 'owner' })).body.data.find((one: { id: string }) => one.id === id)?.emailStatus;
const minutesUntil = (at: Date | null) => Math.round(((at?.getTime() ?? 0) - Date.now()) / 60_000);
const queue = (mail: Partial<NewMail> & { to: string }) =>
  service.db.asSystem(
    'seed',
    (tx) =>
      service.mail.queueMail(tx, { partnerId: service.world.partnerId, kind: 'mfa_enabled', data: { at: new Date() }, ...mail } as NewMail), // the default kind with its data, or both given
  );

describe('an invitation', () => {
  it('is mailed in the partner’s name and colours, and is sent once the server accepted it', async () => {
    const made = await invite('ada@example.com', { fullName: 'Ada' });
    assert.deepEqual([made.status, made.body.emailStatus], [201, null]);
    assert.equal((await row()).status, 'queued');
    await runner.drain();
    const [got] = smtp.received;
    assert.ok(got && smtp.received.length === 1);
    assert.deepEqual(
      [got.mail.from?.name, got.mail.from?.address, got.mail.replyTo?.[0]?.address],
      ['Acme Agency via mail.example', 'no-reply@mail.example', 'help@acme.example'],
    );
    assert.equal(got.mail.subject, 'Acme Agency invites you');
    const { text = '', html = '' } = got.mail;
    assert.ok(text.split('\n').includes(made.body.acceptUrl), 'the link is on its own line');
    assert.ok(
      html.includes(`href="${made.body.acceptUrl}"`) &&
        html.includes('src="https://acme.example/logo.png"') &&
        html.includes(deriveMailBrand('#ffd400').fill),
    );
    assert.ok(
      text.includes('Owner Tester of Acme Agency invites you') &&
        text.includes('help@acme.example') &&
        html.includes('mailto:help@acme.example'),
    );
    assert.doesNotMatch(got.raw.replaceAll('portal.test', ''), /partner portal/i, 'the platform is not named');
    assert.equal(await emailStatus(made.body.id), 'sent');
    const stored = await row();
    assert.deepEqual([stored.status, stored.bodySealed, stored.bodyKeyId, stored.dueAt], ['sent', null, null, null]);
    assert.equal(got.mail.messageId, `<${stored.id}@mail.example>`);
    const used = await service.call('POST', '/invitations/accept', {
      body: { token: made.body.acceptUrl.split('/').at(-1), password: 'nine brown foxes' },
    });
    assert.equal(used.status, 201, 'its link works');
  });

  it('never stores or logs its link, before or after it is sent', async () => {
    const { body } = await invite('canary@example.com');
    const token = body.acceptUrl.split('/').at(-1) ?? '';
    assert.ok(token.length > 40);
    for (const when of ['waiting', 'sent']) {
      const { rows: dump } = await service.pool.connect().then(async (client) => {
        try {
          await client.query('begin; set local role portal_system');
          return await client.query(
            "select m::text || coalesce(convert_from(decode(replace(encode(m.body_sealed, 'escape'), '\\', ''), 'escape'), 'latin1'), '') as t from mail m union all select i::text from invitation i",
          );
        } finally {
          await client.query('rollback');
          client.release();
        }
      });
      assert.ok(dump.length >= 2);
      const all = `${dump.map((one: { t: string }) => one.t).join('\n')}${lines.join('\n')}`;
      for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64').slice(0, -4)])
        assert.ok(!all.includes(form), when);
      await runner.drain();
    }
    assert.equal(smtp.received.length, 1);
    assert.ok(!lines.join('\n').includes(PASSWORD));
  });

  it('cancels its unsent mail when it is resent, so the old link is never sent', async () => {
    const first = await invite('bob@example.com');
    const second = await service.call('POST', `/invitations/${first.body.id}/resend`, { as: 'owner' });
    await runner.drain();
    assert.deepEqual(
      smtp.received.map(({ mail }) => [mail.text?.includes(first.body.acceptUrl), mail.text?.includes(second.body.acceptUrl)]),
      [[false, true]],
    );
    assert.deepEqual(
      (await rows()).map((one) => [one.status, one.bodySealed]),
      [
        ['cancelled', null],
        ['sent', null],
      ],
    );
    assert.equal(await emailStatus(first.body.id), 'sent');
  });

  it('cancels its unsent mail when it is revoked or accepted', async () => {
    const revoked = await invite('carol@example.com');
    await service.call('POST', `/invitations/${revoked.body.id}/revoke`, { as: 'owner' });
    const accepted = await invite('dave@example.com');
    const token = accepted.body.acceptUrl.split('/').at(-1);
    assert.equal((await service.call('POST', '/invitations/accept', { body: { token, password: 'nine brown foxes' } })).status, 201);
    await runner.drain();
    assert.deepEqual(smtp.received, []);
    assert.deepEqual(
      (await rows()).map((one) => [one.status, one.bodySealed]),
      Array(2).fill(['cancelled', null]),
    );
  });

  it('has no mail status when it is resent during sending, until the new mail is accepted', async () => {
    const { body } = await invite('erin@example.com');
    smtp.behaviour.beforeAnswer = async () => {
      smtp.behaviour.beforeAnswer = undefined;
      await service.call('POST', `/invitations/${body.id}/resend`, { as: 'owner' });
    };
    smtp.behaviour.recipient = () => undefined;
    await runner.drain();
    assert.equal(smtp.received.length, 2);
    assert.deepEqual(
      (await rows()).map((one) => one.status),
      ['cancelled', 'sent'],
    );
  });

  it('is not sent when its transaction fails', async () => {
    const seen = service.db.asSystem('seed', async (tx) => {
      await service.mail.queueMail(tx, {
        partnerId: service.world.partnerId,
        to: 'ghost@example.com',
        kind: 'mfa_enabled',
        data: { at: new Date() },
      });
      throw new Error('no');
    });
    await assert.rejects(seen);
    await runner.drain();
    assert.deepEqual([smtp.received, await rows()], [[], []]);
  });
});

describe('hostile names', () => {
  it('add no markup, no header and no line to the subject', async () => {
    const hostile = '<script>alert(1)</script>"\r\nBcc: thief@evil.example\r\n\r\n<img src=x onerror=alert(1)>\u202Egnp';
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('partner')
        .set({ name: hostile, logoUrl: 'javascript:alert(1)', supportEmail: 'a@b.example"><script>\r\nX-Evil: 1' })
        .where('id', '=', service.world.partnerId)
        .execute(),
    );
    await invite('eve@example.com', { fullName: 'Ada\r\nX-Injected: yes <b>' });
    await runner.drain();
    const [got] = smtp.received;
    assert.ok(got);
    assert.equal(got.to, 'eve@example.com', 'no other recipient');
    const names = got.mail.headers.map(({ key }) => key);
    for (const name of ['bcc', 'cc', 'x-injected', 'x-evil']) assert.ok(!names.includes(name), name);
    assert.doesNotMatch(got.mail.subject ?? '', /[\r\n\u202E]/);
    assert.doesNotMatch(got.mail.from?.name ?? '', /[\r\n\u202E]/);
    const { html = '' } = got.mail;
    assert.doesNotMatch(html, /<script|<img|javascript:|onerror=alert\(1\)>|<b>(?!&lt;)/i);
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), 'shown as typed');
  });
});

describe('a mail that is not accepted', () => {
  it('is retried after 1, 5 and 30 minutes, 2 and 12 hours, then fails, and staff can retry it', async () => {
    smtp.behaviour.recipient = () => ({ code: 450, text: '4.2.0 greylisted' });
    const { body } = await invite('grey@example.com');
    await runner.drain();
    for (const minutes of [1, 5, 30, 120, 720]) {
      const waiting = await row();
      assert.deepEqual([waiting.status, minutesUntil(waiting.dueAt), waiting.lastAnswer], ['queued', minutes, '450 4.2.0 greylisted']);
      assert.equal(await emailStatus(body.id), null);
      await letTimePass();
    }
    const failed = await row();
    assert.deepEqual([failed.status, failed.attempts, failed.lastError], ['failed', 6, 'attempts_exhausted']);
    assert.equal(await emailStatus(body.id), 'failed');
    smtp.behaviour.recipient = undefined;
    const again = await service.call('POST', `/provisioning/mail/${failed.id}/retry`, { as: 'staff' });
    assert.deepEqual([again.status, again.body.status, again.body.attempts], [200, 'queued', 0]);
    assert.equal(await emailStatus(body.id), null);
    await runner.drain();
    assert.equal(await emailStatus(body.id), 'sent');
    assert.equal(smtp.received[0]?.mail.messageId, `<${failed.id}@mail.example>`);
    const twice = await service.call('POST', `/provisioning/mail/${failed.id}/retry`, { as: 'staff' });
    assert.equal(twice.body.code, 'invalid_state', 'already sent');
  });

  it('is attempted once when it is rejected permanently', async () => {
    smtp.behaviour.recipient = () => ({ code: 550, text: '5.1.1 nobody here' });
    const { body } = await invite('nobody@example.com');
    await runner.drain();
    const failed = await row();
    assert.deepEqual(
      [failed.status, failed.attempts, failed.lastError, failed.lastAnswer],
      ['failed', 1, 'refused', '550 5.1.1 nobody here'],
    );
    assert.equal(await emailStatus(body.id), 'failed');
    await letTimePass();
    assert.equal((await row()).attempts, 1);
  });

  it('uses no attempt while the server is unavailable, and is sent with the others once it is back', async () => {
    await smtp.stop();
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await queue({ to });
    await runner.drain();
    for (const waiting of await rows()) assert.deepEqual([waiting.status, waiting.attempts, minutesUntil(waiting.dueAt)], ['queued', 0, 1]);
    assert.equal(await service.mail.check(), 'down');
    await smtp.start();
    await letTimePass();
    assert.deepEqual(smtp.received.map(({ to }) => to).toSorted(), ['a@example.com', 'b@example.com', 'c@example.com']);
    assert.equal(await service.mail.check(), 'ok');
  });

  it('is repeated once under the same message id when its outcome is unknown, then fails', async () => {
    smtp.behaviour.dropAfterMessage = true;
    await queue({ to: 'ada@example.com' });
    await runner.drain();
    assert.deepEqual([(await row()).status, (await row()).interrupted], ['queued', 1]);
    await letTimePass();
    await letTimePass();
    assert.deepEqual([(await row()).status, (await row()).lastError], ['failed', 'interrupted']);
    assert.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 1);
    assert.equal(smtp.received.length, 2);
  });
});

describe('a deduplication key', () => {
  it('is mailed once to each address, also by concurrent callers', async () => {
    const queueOnce = (to: string) => queue({ to, dedupeKey: 'alert:1' });
    await Promise.all(Array.from({ length: 8 }, () => queueOnce('ada@example.com')));
    await queueOnce('bob@example.com');
    await runner.drain();
    await queueOnce('ada@example.com');
    await runner.drain();
    assert.deepEqual(smtp.received.map(({ to }) => to).toSorted(), ['ada@example.com', 'bob@example.com']);
  });

  it('reaches every active admin of the partner but the excepted one, and no one else', async () => {
    const { people, partnerId } = service.world;
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('appUser').set({ partnerRole: 'admin' }).where('id', '=', people.moderator.userId).execute(),
    );
    const queueForAdmins = (except?: string) =>
      service.db.asSystem('seed', (tx) =>
        service.mail.queueMailToAdmins(tx, {
          partnerId,
          kind: 'sso_released',
          data: { at: new Date(), reason: 'locked out' },
          ...(except ? { except } : {}),
        }),
      );
    await queueForAdmins();
    await queueForAdmins(people.owner.userId);
    await runner.drain();
    assert.deepEqual(
      smtp.received.map(({ to }) => to).toSorted(),
      [people.moderator.email, people.moderator.email, people.owner.email].toSorted(),
    );
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('appUser').set({ partnerRole: 'moderator' }).where('id', '=', people.moderator.userId).execute(),
    );
  });
});

describe('mail of one agency', () => {
  const placeOf = (to: string): number => smtp.received.findIndex((one) => one.to === to);
  const report = (partnerId: string, to: string): Promise<unknown> => queue({ partnerId, to });

  it('does not hold up that of another, however much of it waits', async () => {
    for (let n = 0; n < 40; n += 1) await queue({ to: `reader${n}@acme.example` });
    for (let n = 0; n < 3; n += 1) await report(service.world.rivalPartnerId, `reader${n}@rival.example`);
    await runner.drain();
    assert.equal(smtp.received.length, 43);
    // Two agencies share the first batch of eight.
    assert.deepEqual(
      [0, 1, 2].filter((n) => placeOf(`reader${n}@rival.example`) < 8),
      [0, 1, 2],
    );
  });

  it('takes turns with that of more agencies than are served at a time, also for one that came last', async () => {
    const partnerIds = await service.db.asSystem('seed', async (tx) => {
      const { planId } = await tx.selectFrom('subscription').select('planId').limit(1).executeTakeFirstOrThrow();
      const ids: string[] = [];
      for (let n = 0; n < 12; n += 1) ids.push(await addPartner(tx, { name: `Agency ${n}`, slug: `turn-${n}`, planId }));
      return ids;
    });
    // The newest id is the last of a round.
    const last = partnerIds.toSorted().at(-1) ?? '';
    for (const partnerId of partnerIds)
      if (partnerId !== last) for (let n = 0; n < 4; n += 1) await report(partnerId, `reader${n}@${partnerId}.example`);
    await report(last, 'late@last.example');
    await runner.drain();
    assert.equal(smtp.received.length, 45);
    assert.ok(placeOf('late@last.example') < 16, `place ${placeOf('late@last.example')}`);
  });

  it('with a link that ends soon is sent before the rest of it, and before what others have waiting', async () => {
    const reset = { resetUrl: `${service.baseUrl}/reset-password?x`, expiresAt: new Date(Date.now() + 3_600_000), fullName: null };
    for (let n = 0; n < 20; n += 1) await queue({ to: `reader${n}@acme.example` });
    for (let n = 0; n < 20; n += 1) await report(service.world.rivalPartnerId, `reader${n}@rival.example`);
    await queue({ to: 'reset@acme.example', kind: 'password_reset', data: reset });
    await runner.drain();
    assert.equal(smtp.received.length, 41);
    assert.ok(placeOf('reset@acme.example') < 8, `place ${placeOf('reset@acme.example')}`);
  });
});

describe('who may queue and read', () => {
  it('a client’s user queues mail to itself, no one for another partner, and no tenant reads a body', async () => {
    const mail = (partnerId: string): NewMail => ({
      partnerId,
      to: 'me@example.com',
      kind: 'password_changed',
      data: { at: new Date(), how: 'changed' },
    });
    await service.db.asTenant(service.actor('clientUser'), (tx) => service.mail.queueMail(tx, mail(service.world.partnerId)));
    await assert.rejects(
      service.db.asTenant(service.actor('owner'), (tx) => service.mail.queueMail(tx, mail(service.world.rivalPartnerId))),
      /no partner|another agency/,
    );
    await assert.rejects(
      service.db.asTenant(service.actor('owner'), (tx) => tx.selectFrom('mail').select('bodySealed').execute()),
      /permission denied/,
    );
    const seen = await service.db.asTenant(service.actor('rivalOwner'), (tx) => tx.selectFrom('mail').select('id').execute());
    assert.deepEqual(seen, []);
    assert.equal((await rows()).length, 1);
  });

  it('staff only, and with a transport not even they see text and links', async () => {
    await invite('seen@example.com');
    const { id } = await row();
    const list = await service.call('GET', '/provisioning/mail?kind=invitation&status=queued', { as: 'staff' });
    assert.deepEqual([list.body.data.length, list.body.data[0].to, list.body.data[0].canRetry], [1, 'seen@example.com', false]);
    const one = await service.call('GET', `/provisioning/mail/${id}`, { as: 'staff' });
    assert.deepEqual([one.status, one.body.text, one.body.links], [200, null, []]);
    assert.ok(!one.text.includes('/invite/'));
    const file = await service.call('GET', '/provisioning/mail/export.csv', { as: 'staff' });
    assert.ok(file.text.includes('seen@example.com') && !file.text.includes('/invite/'));
    const refused = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
    await service.assertRefused('GET', '/provisioning/mail', refused);
    await service.assertRefused('GET', '/provisioning/mail/export.csv', refused);
    await service.assertRefused('GET', `/provisioning/mail/${id}`, refused);
    await service.assertRefused('POST', `/provisioning/mail/${id}/retry`, refused);
    assert.equal(
      (await service.call('POST', `/provisioning/mail/${id}/retry`, { as: 'staff' })).body.code,
      'invalid_state',
      'already queued',
    );
    assert.equal((await service.call('GET', `/provisioning/mail/${service.world.partnerId}`, { as: 'staff' })).body.code, 'not_found');
    assert.equal((await service.call('GET', `/provisioning/mail?partnerId=${id}`, { as: 'staff' })).body.code, 'not_found');
  });
});

describe('the sweep', () => {
  const sweep = () => runner.runCron('mail.sweep');

  it('enqueues a job for mail whose job was lost', async () => {
    await queue({ to: 'ada@example.com' });
    const { id } = await row();
    await dropJob(id);
    await runner.drain();
    assert.deepEqual(smtp.received, []);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('mail')
        .set({ dueAt: new Date(Date.now() - 120_000) })
        .execute(),
    );
    await sweep();
    await runner.drain();
    assert.equal(smtp.received.length, 1);
  });

  it('erases expired bodies, and fails mail that was still queued', async () => {
    const { body } = await invite('late@example.com');
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('mail')
        .set({ bodyUntil: new Date(Date.now() - 1000) })
        .execute(),
    );
    await sweep();
    const gone = await row();
    assert.deepEqual([gone.status, gone.lastError, gone.bodySealed, gone.dueAt], ['failed', 'expired', null, null]);
    assert.equal(await emailStatus(body.id), 'failed');
    await runner.drain();
    assert.deepEqual(smtp.received, []);
  });

  it('deletes mail after 30 days, not before', async () => {
    for (const to of ['old@example.com', 'young@example.com']) await queue({ to });
    await runner.drain();
    const at = (days: number) =>
      `${(Date.now() - days * 86_400_000)
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    await service.db.asSystem('seed', async (tx) => {
      await tx
        .updateTable('mail')
        .set({ id: at(31) })
        .where('toAddress', '=', 'old@example.com')
        .execute();
      await tx
        .updateTable('mail')
        .set({ id: at(29) })
        .where('toAddress', '=', 'young@example.com')
        .execute();
    });
    await sweep();
    assert.equal((await row()).toAddress, 'young@example.com');
  });
});

describe('mail postponed while the server is unavailable', () => {
  it('is locked oldest first, so concurrent rewrapping cannot deadlock', async () => {
    await queue({ to: 'one@example.com' });
    await queue({ to: 'two@example.com' });
    const [older, newer] = await rows();
    assert.ok(older && newer);
    // The older one was postponed before, so it is due later.
    const dueAt = (id: string, at: number) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('mail')
          .set({ dueAt: new Date(at) })
          .where('id', '=', id)
          .execute(),
      );
    await dueAt(newer.id, Date.now() - 60_000);
    await dueAt(older.id, Date.now() - 30_000);
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const rewrapping = service.db.asSystem('rewrap', async (tx) => {
      await tx.updateTable('mail').set({ subject: 'Rewrapped' }).where('id', '=', older.id).execute();
      held.resolve(undefined);
      await goOn.promise;
      await tx.updateTable('mail').set({ subject: 'Rewrapped' }).where('id', '=', newer.id).execute();
    });
    await held.promise;
    const later = new Date(Date.now() + 600_000);
    const postponing = service.db.asSystem('mail', (tx) => postponeDue(tx, new Date(), later));
    await until('one waits for the other', async () => (await countLockWaits(service.database)) > 0);
    goOn.resolve(undefined);
    await Promise.all([rewrapping, postponing]);
    assert.deepEqual(
      (await rows()).map((mail) => minutesUntil(mail.dueAt)),
      [10, 10],
    );
  });
});

/** Removes a job from the queue, as if it had been lost. */
async function dropJob(mailId: string): Promise<void> {
  await service.database.query('select graphile_worker.remove_job($1)', [`mail.send:${mailId}`]);
}

describe('mail that waits for a person whose access ends', () => {
  it('is never sent: not to a removed member, a removed user of a client, nor a disabled user; that to others is', async () => {
    const { moderator, otherClientUser, rivalOwner, owner } = service.world.people;
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    for (const { email, userId, partnerId } of [moderator, otherClientUser, rivalOwner, owner])
      await queue({ to: email, userId, partnerId });
    await runner.drain();
    assert.deepEqual([...new Set((await rows()).map(({ status }) => status))], ['queued']);
    const ends = [
      await service.call('DELETE', `/partners/me/team/${moderator.userId}`, { as: 'owner' }),
      await service.call('DELETE', `/clients/${otherClientUser.clientId}/users/${otherClientUser.userId}`, { as: 'owner' }),
      await service.call('PATCH', `/users/${rivalOwner.userId}`, { as: 'staff', body: { status: 'disabled' } }),
    ];
    assert.deepEqual(
      ends.map(({ status }) => status),
      [204, 204, 200],
    );
    smtp.behaviour.recipient = undefined;
    await letTimePass();
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [owner.email],
    );
    const ended = (await rows()).filter(({ toAddress }) => toAddress !== owner.email);
    assert.deepEqual(
      ended.map(({ status, bodySealed }) => [status, bodySealed]),
      ended.map(() => ['cancelled', null]),
    );
  });

  it('is never sent to a hand-over address that is theirs, which is emptied, and to others it is', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const { database } = service;
    const [gone, other] = ['Gone@Oak.test', 'desk@oak.test'];
    const userId = newId();
    await database.query(
      `insert into app_user (id, partner_id, client_id, email, role, full_name) values ($1, $2, $3, 'gone@oak.test', 'CLIENT', 'Gone')`,
      [userId, partnerId, clientId],
    );
    for (const [client, address] of [
      [clientId, gone],
      [otherClientId, other],
    ])
      await database.query(
        `insert into chatbot (partner_id, client_id, name, greeting, provider, model, handoff_email) values ($1, $2, 'Ada', 'Hello', 'openai', 'gpt', $3)`,
        [partnerId, client, address],
      );
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    const data = {
      clientName: 'Oak',
      visitorLabel: 'Visitor',
      why: 'visitor',
      message: 'Hello?',
      at: new Date(),
      href: '/client',
    } as const;
    for (const to of [gone, other])
      await service.db.asSystem('seed', (tx) =>
        service.mail.queueMail(tx, { partnerId, to, about: { partnerId, clientId }, kind: 'conversation_handed_off', data }),
      );
    await runner.drain();
    const removed = await service.call('DELETE', `/clients/${clientId}/users/${userId}`, { as: 'owner' });
    assert.equal(removed.status, 204, removed.text);
    smtp.behaviour.recipient = undefined;
    await letTimePass();
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [other],
    );
    const left = await database.query<{ address: string }>('select handoff_email as address from chatbot order by handoff_email');
    assert.deepEqual(
      left.map(({ address }) => address),
      ['', other],
    );
  });
});
