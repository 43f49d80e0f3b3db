import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, type Person } from '@partner-portal/tests/harness/world.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { accounts } from './index.ts';

let service: TestService;
let watch: ReactionService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [accounts({ ...platform, deletionDays: 30 }), clients(platform), partners(platform)],
  });
  watch = await startReactionService(service);
});
after(async () => {
  await watch.close();
  await service.close();
});
beforeEach(async () => {
  for (const table of ['notification', 'mail', 'reactivation_request', 'deletion_request']) await watch.query(`delete from ${table}`);
  await watch.query('update event set due_at = null');
  await watch.query("update partner set status = 'active', suspended_at = null, suspension_reason = null, suspension_cause = null");
  await watch.query("update client set status = 'active', suspended_at = null, suspension_reason = null, suspension_cause = null");
});

const post = (path: string, as: Person, body: object) => service.call('POST', path, { as, body });
const requestOwn = async (as: Person, confirmName: string, scope = 'client'): Promise<string> => {
  const { body, text } = await post('/account-deletion', as, { scope, reason: 'We close', confirmName });
  assert.ok(body.id, text);
  return body.id;
};
/** Everything that follows: notifications with their mail, and the mail of suspensions. */
async function settle(): Promise<void> {
  const suspensions = await watch.query<{ id: string }>("select id from event where type = 'account.suspended' and due_at is not null");
  const ids = new Set(suspensions.map(({ id }) => id));
  const events = (await watch.eventsOf('account.suspended')).filter(({ id }) => ids.has(id));
  await watch.db.asSystem('events', async (tx) => {
    for (const reaction of watch.mail.reactions) await reaction.run(tx, events);
  });
  await watch.settle();
}
const bells = async (...people: Person[]) => {
  const rows = await watch.query<{ email: string; type: string }>(
    'select u.email, n.type from notification n join app_user u on u.id = n.user_id order by n.id, u.email',
  );
  const wanted = people.map((person) => service.world.people[person].email);
  return rows
    .filter(({ email }) => wanted.includes(email))
    .map(({ email, type }) => `${email.split('@')[0]} ${type}`)
    .toSorted();
};
const mails = async () => (await watch.mails()).map(({ to, kind }) => `${to.split('@')[0]} ${kind}`).toSorted();
const EVERYONE: Person[] = ['staff', 'owner', 'moderator', 'clientUser', 'otherClientUser', 'rivalOwner', 'rivalClientUser'];

describe('a request about an account', () => {
  it('reaches the admins of the side that decides: staff of an agency, an agency of its client', async () => {
    await requestOwn('rivalOwner', 'Rival Agency', 'partner');
    await settle();
    assert.deepEqual(await bells(...EVERYONE), ['staff account_request']);
    const [bell] = await watch.query<{ href: string; title: string }>('select href, title from notification');
    assert.match(bell?.href ?? '', /^\/admin\?item=deletion_request\./);
    assert.equal(bell?.title, 'The deletion of Rival Agency is requested');
    await watch.query('delete from notification');
    await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    assert.deepEqual(await bells(...EVERYONE), ['owner account_request']);
  });

  it('reaches the side that requested, with one mail for each person', async () => {
    const id = await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    await watch.query('delete from notification');
    await watch.query('delete from mail');
    await post(`/account-deletion/${id}/reject`, 'owner', { note: 'Not yet' });
    await settle();
    assert.deepEqual(
      [await bells(...EVERYONE), await mails()],
      [['clientuser account_request_resolved'], ['clientuser account_request_decided']],
    );

    // Approved by staff, the agency gets the mail of the suspension and the client that of the decision.
    await watch.query('delete from notification');
    await watch.query('delete from mail');
    const again = await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    await watch.query('delete from mail');
    await post(`/account-deletion/${again}/approve`, 'staff', {});
    await settle();
    assert.deepEqual(await mails(), ['clientuser account_request_decided', 'moderator notification', 'owner account_suspended']);

    // An agency gets one mail, with the date.
    await watch.query('delete from mail');
    const own = await requestOwn('rivalOwner', 'Rival Agency', 'partner');
    await settle();
    await watch.query('delete from mail');
    await post(`/account-deletion/${own}/approve`, 'staff', {});
    await settle();
    assert.deepEqual(await mails(), ['rivalowner account_suspended']);
    await watch.query('delete from mail');
    const { body: back } = await post('/account-reactivation', 'rivalOwner', { message: 'Please' });
    await settle();
    await watch.query('delete from mail');
    await post(`/account-reactivation/${back.id}/approve`, 'staff', {});
    await settle();
    assert.deepEqual(await mails(), ['rivalowner account_request_decided']);
    assert.deepEqual(await bells('rivalOwner'), ['rivalowner account_request_resolved', 'rivalowner account_suspended']);
  });

  it('of a suspension reaches by mail each person of the client and of its agency, except the admin who decided it', async () => {
    const { clientId } = service.world;
    await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
    await settle();
    assert.deepEqual(await bells(...EVERYONE), ['clientuser account_suspended', 'moderator account_suspended']);
    assert.deepEqual(await mails(), ['clientuser notification', 'moderator notification']);
  });

  it('of its end reaches by mail the same people, once each, also by a reactivation, and not where the client is archived again', async () => {
    const { clientId, partnerId } = service.world;
    const suspend = async (): Promise<void> => {
      await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
      await settle();
      for (const table of ['notification', 'mail']) await watch.query(`delete from ${table}`);
    };
    await suspend();
    await post(`/clients/${clientId}/resume`, 'owner', {});
    await settle();
    assert.deepEqual(await bells(...EVERYONE), ['clientuser account_suspended', 'moderator account_suspended']);
    assert.deepEqual(await mails(), ['clientuser notification', 'moderator notification']);
    assert.deepEqual(await watch.query<{ title: string; tone: string }>('select distinct title, tone from notification order by title'), [
      { title: 'Oak Street Dental is active again', tone: 'ok' },
      { title: 'Your account is active again', tone: 'ok' },
    ]);
    await suspend();
    const { body: asked } = await post('/account-reactivation', 'clientUser', { message: 'Please' });
    await post(`/account-reactivation/${asked.id}/approve`, 'owner', {});
    await settle();
    assert.deepEqual(await mails(), ['clientuser account_request_decided', 'moderator notification']);
    await watch.query('delete from mail');
    await post(`/partners/${partnerId}/suspend`, 'staff', { reason: 'Unpaid' });
    await settle();
    await watch.query('delete from mail');
    await post(`/partners/${partnerId}/resume`, 'staff', {});
    await settle();
    assert.deepEqual(await mails(), ['moderator notification', 'owner notification']);
  });

  it('of an approved deletion says until which minute of the agency’s zone it can be reactivated, in the bell and by mail', async () => {
    const { clientId, partnerId } = service.world;
    await watch.query("update partner set timezone = 'America/Los_Angeles' where id = $1", [partnerId]);
    const id = await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    for (const table of ['notification', 'mail']) await watch.query(`delete from ${table}`);
    await post(`/account-deletion/${id}/approve`, 'owner', {});
    // In California it is still the day before.
    await watch.query(
      `update event set data = jsonb_set(data, '{reactivation,until}', '"2026-12-30T00:30:00.000Z"') where client_id = $1
      and type = 'account.suspended'`,
      [clientId],
    );
    await settle();
    const bodies = await watch.query<{ email: string; body: string }>(
      `select u.email, n.body from notification n join app_user u on u.id = n.user_id where n.type = 'account_suspended' order by u.email`,
    );
    assert.equal(bodies.length, 2);
    for (const { body } of bodies) assert.match(body, /until Tuesday, December 29, 2026 at 16:30 PST\./);
    await watch.query("update partner set timezone = 'UTC' where id = $1", [partnerId]);
  });

  it('that needs no decision any more reaches the side that requested it', async () => {
    const { clientId } = service.world;
    for (const [way, tone, bell, mail] of [
      [
        'resume',
        'ok',
        ['clientuser account_suspended', 'moderator account_suspended'],
        ['clientuser notification', 'moderator notification'],
      ],
      ['archive', 'warn', ['clientuser account_request_resolved'], ['clientuser account_request_decided']],
    ] as const) {
      await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
      await post('/account-reactivation', 'clientUser', { message: 'Please' });
      await settle();
      for (const table of ['notification', 'mail']) await watch.query(`delete from ${table}`);
      await post(`/clients/${clientId}/${way}`, 'owner', {});
      await settle();
      assert.deepEqual([await bells(...EVERYONE), await mails()], [bell, mail]);
      assert.deepEqual(await watch.query('select distinct tone from notification'), [{ tone }]);
    }
  });

  it('about a client that was archived before says that it is archived again, and not that its agents run', async () => {
    const { clientId } = service.world;
    for (const [isArchived, means] of [
      [true, /archived again/],
      [false, /run as before/],
    ] as const) {
      if (isArchived) await post(`/clients/${clientId}/archive`, 'owner', {});
      const deletion = await post('/account-deletion', 'owner', {
        scope: 'client',
        clientId,
        reason: 'x',
        confirmName: 'Oak Street Dental',
      });
      assert.equal((await post(`/account-deletion/${deletion.body.id}/approve`, 'owner', {})).status, 200);
      const { body: asked } = await post('/account-reactivation', 'clientUser', { message: 'Please' });
      assert.deepEqual([asked.restores, typeof asked.purgeAfter], [isArchived ? 'archived' : 'active', 'string']);
      await settle();
      for (const table of ['notification', 'mail']) await watch.query(`delete from ${table}`);
      await post(`/account-reactivation/${asked.id}/approve`, 'owner', {});
      await settle();
      const [bell] = await watch.query<{ body: string }>("select body from notification where type = 'account_request_resolved'");
      assert.match(bell?.body ?? '', means);
      assert.deepEqual(await mails(), ['clientuser account_request_decided', ...(isArchived ? [] : ['moderator notification'])]);
      await watch.query("update client set status = 'active'");
    }
  });

  it('by an agency about its client notifies its other admins once it is left undecided, and not of one decided in the same click', async () => {
    const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'Asked'));
    const setRole = (role: string) =>
      watch.query('update app_user set partner_role = $2 where id = $1', [service.world.people.moderator.userId, role]);
    await setRole('admin');
    const aMinuteLater = async (): Promise<void> => {
      await settle();
      await watch.runner.drain({ untilAt: new Date(Date.now() + 120_000) });
    };
    const requestDeletion = () => post('/account-deletion', 'owner', { scope: 'client', clientId, reason: 'x', confirmName: 'Asked' });
    // The portal asks and approves in one click; the notices may be made between the two.
    const { body: deletion } = await requestDeletion();
    await settle();
    await post(`/account-deletion/${deletion.id}/approve`, 'owner', {});
    await aMinuteLater();
    assert.deepEqual(await bells(...EVERYONE), ['moderator account_suspended']);
    const { body: back } = await post('/account-reactivation', 'owner', { clientId, message: 'We keep it' });
    await settle();
    await post(`/account-reactivation/${back.id}/approve`, 'owner', {});
    await aMinuteLater();
    assert.deepEqual(await bells(...EVERYONE), ['moderator account_request_resolved', 'moderator account_suspended']);

    await watch.query('delete from notification');
    await requestDeletion();
    await aMinuteLater();
    assert.deepEqual(await bells(...EVERYONE), ['moderator account_request']);
    await setRole('moderator');
  });
});
