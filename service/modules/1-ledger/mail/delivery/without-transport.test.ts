import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { events } from '#modules/1-ledger/events/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { openNotices } from '#platform/notify.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import { createMailer } from '#adapters/mailer.ts';
import { dueAtOnce } from '@partner-portal/tests/harness/due-at-once.ts';
import { startTestService, type TestPlatform, type TestService } from '@partner-portal/tests/harness/service.ts';
import { mail } from '../index.ts';

/** Mail without SMTP_HOST, and mail about suspensions. */

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [platform.mail, invitations(platform), partners(platform)],
  });
});
after(() => service.close());

const rows = () => service.db.asSystem('seed', (tx) => tx.selectFrom('mail').selectAll().orderBy('id').execute());
const clear = () => service.db.asSystem('seed', (tx) => tx.deleteFrom('mail').execute());
const audited = (action: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('auditEntry').select(['partnerId', 'actorEmail', 'targetLabel']).where('action', '=', action).execute(),
  );
const note = (platform: TestPlatform, to: string) =>
  platform.db.asSystem('seed', (tx) =>
    platform.mail.queueMail(tx, { partnerId: platform.world.partnerId, to, kind: 'mfa_enabled', data: { at: new Date() } }),
  );

describe('without a transport', () => {
  it('the inviter gets the link and its status, staff can read the mail, and each read is audited', async () => {
    const made = await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email: 'ada@example.com' } });
    assert.equal(made.body.emailStatus, 'not_configured');
    const list = await service.call('GET', '/provisioning/mail?status=not_configured', { as: 'staff' });
    const [{ id }] = list.body.data;
    assert.ok(!list.text.includes('/invite/'), 'the list holds no link');
    const one = await service.call('GET', `/provisioning/mail/${id}`, { as: 'staff' });
    assert.deepEqual([one.body.links, one.body.canRetry], [[made.body.acceptUrl], false]);
    assert.ok(one.body.text.includes(made.body.acceptUrl));
    assert.deepEqual(await audited('mail.read'), [
      { partnerId: service.world.partnerId, actorEmail: service.world.people.staff.email, targetLabel: 'ada@example.com' },
    ]);
    const retry = await service.call('POST', `/provisioning/mail/${id}/retry`, { as: 'staff' });
    assert.deepEqual([retry.status, retry.body.code, retry.body.detail.includes('SMTP_HOST')], [503, 'mail_unavailable', true]);
    assert.equal((await service.call('GET', `/provisioning/mail/${id}`, { as: 'owner' })).body.code, 'role_forbidden');
  });

  it('a mail is readable while its link is valid: a week, a reset link an hour', async () => {
    await clear();
    const data = { resetUrl: `${service.baseUrl}/reset-password?x`, expiresAt: new Date(), fullName: null };
    await service.db.asSystem('seed', (tx) =>
      service.mail.queueMail(tx, { partnerId: service.world.partnerId, to: 'r@example.com', kind: 'password_reset', data }),
    );
    await note(service, 'w@example.com');
    const hours = (await rows()).map(({ bodyUntil }) => Math.round((bodyUntil.getTime() - Date.now()) / 3_600_000));
    assert.deepEqual(hours, [1, 168]);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('mail')
        .set({ bodyUntil: new Date(Date.now() - 1000) })
        .execute(),
    );
    const [first] = await rows();
    const read = await service.call('GET', `/provisioning/mail/${first?.id}`, { as: 'staff' });
    assert.deepEqual([read.body.text, read.body.links], [null, []]);
  });

  it('mail queued before the transport was removed becomes readable, and its invitation shows it', async () => {
    await clear();
    const { world, db } = service;
    const settings = { host: '127.0.0.1', port: 9, user: null, password: null, from: 'a@mail.example', security: 'none' } as const;
    const mailer = createMailer(settings);
    const before = mail({ ...service, mailer });
    const { id } = await db.asSystem('seed', (tx) =>
      tx
        .insertInto('invitation')
        .values({
          partnerId: world.partnerId,
          kind: 'team',
          email: 'gone@example.com',
          tokenHash: Buffer.alloc(32, 9),
          expiresAt: new Date(Date.now() + 1e6),
          emailStatus: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    const data = {
      invitationKind: 'team',
      acceptUrl: `${service.baseUrl}/invite/x`,
      expiresAt: new Date(),
      fullName: null,
      inviterName: null,
      clientName: null,
    } as const;
    await db.asSystem('seed', (tx) =>
      before.queueMail(tx, { partnerId: world.partnerId, to: 'gone@example.com', kind: 'invitation', data, aboutInvitationId: id }),
    );
    mailer.close();
    const now = mail({ ...service, mailer: null });
    const runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: now.jobs, crons: [], log: service.log });
    await runner.drain();
    await runner.stop(0);
    const [row] = await rows();
    assert.deepEqual([row?.status, row?.dueAt, row?.bodySealed === null], ['not_configured', null, false]);
    const invitation = await db.asSystem('seed', (tx) =>
      tx.selectFrom('invitation').select('emailStatus').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    assert.equal(invitation.emailStatus, 'not_configured');
  });
});

describe('a mail whose body cannot be opened', () => {
  it('is shown without its text instead of failing', async () => {
    await clear();
    await note(service, 'lost@example.com');
    await service.db.asSystem('seed', (tx) => tx.updateTable('mail').set({ bodyKeyId: 'gone' }).execute());
    const [lost] = await rows();
    const read = await service.call('GET', `/provisioning/mail/${lost?.id}`, { as: 'staff' });
    assert.deepEqual([read.status, read.body.text], [200, null]);
  });
});

describe('a suspension', () => {
  it('is mailed to the partner’s admins once, with the reason staff gave', async () => {
    await clear();
    const { world } = service;
    const suspended = await service.call('POST', `/partners/${world.rivalPartnerId}/suspend`, {
      as: 'staff',
      body: { reason: 'Three bills are open.' },
    });
    assert.equal(suspended.status, 200, suspended.text);
    const notices = openNotices(service.database.configFor('portal_service'), service.log);
    const happened = events({ db: service.db, notices, log: service.log, reactions: service.mail.reactions });
    await dueAtOnce(service.database.query, 'event');
    await happened.runOnce();
    await happened.runOnce();
    await happened.stop();
    await notices.close();
    const [row, ...others] = await rows();
    assert.deepEqual(
      [row?.kind, row?.toAddress, row?.partnerId, others.length],
      ['account_suspended', world.people.rivalOwner.email, world.rivalPartnerId, 0],
    );
    const read = await service.call('GET', `/provisioning/mail/${row?.id}`, { as: 'staff' });
    assert.match(read.body.text, /Your account is suspended[^]*> Three bills are open\.[^]*http:\/\/portal\.test\/login/);
  });
});
