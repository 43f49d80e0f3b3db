import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, type Person } from '@partner-portal/tests/harness/world.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
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
const clear = async (): Promise<void> => {
  for (const table of ['notification', 'mail']) await watch.query(`delete from ${table}`);
};
const resolvedBodies = async (): Promise<string[]> =>
  (await watch.query<{ body: string }>("select body from notification where type = 'account_request_resolved'")).map(({ body }) => body);
/** The text of the only mail of a kind, which staff read while there is no mail server. */
async function mailText(kind: string): Promise<string> {
  const { data } = (await watch.call('GET', `/provisioning/mail?kind=${kind}`, { as: 'staff' })).body;
  assert.equal(data.length, 1);
  return (await watch.call('GET', `/provisioning/mail/${data[0].id}`, { as: 'staff' })).body.text;
}
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

  it('that its archive or its deletion answered says that in the language of the reader, and not that it stays suspended', async () => {
    const { clientId } = service.world;
    await watch.query("update app_user set locale = 'de-DE' where client_id = $1", [clientId]);
    for (const [act, means] of [
      [() => post(`/clients/${clientId}/archive`, 'owner', {}), 'Das Konto wurde stattdessen archiviert: Die Agenten bleiben gestoppt.'],
      [
        async () => {
          const body = { scope: 'client', clientId, reason: 'x', confirmName: 'Oak Street Dental' };
          const { id } = (await post('/account-deletion', 'owner', body)).body;
          return post(`/account-deletion/${id}/approve`, 'owner', {});
        },
        'Stattdessen wurde die Löschung des Kontos genehmigt.',
      ],
    ] as const) {
      await watch.query("update client set status = 'active', suspended_at = null, suspension_cause = null where id = $1", [clientId]);
      await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
      assert.equal((await post('/account-reactivation', 'clientUser', { message: 'Bitte' })).status, 201);
      await settle();
      await clear();
      assert.equal((await act()).status, 200);
      await settle();
      assert.deepEqual(await resolvedBodies(), [means]);
      assert.match(await mailText('account_request_decided'), new RegExp(means.replaceAll(' ', '\\s')));
      await watch.query('delete from deletion_request');
    }
    await watch.query("update app_user set locale = 'en-US' where client_id = $1", [clientId]);
  });

  it('promises no agent that runs while the agency of the client is suspended', async () => {
    const { clientId, partnerId } = service.world;
    await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
    const { body: asked } = await post('/account-reactivation', 'clientUser', { message: 'Please' });
    await post(`/partners/${partnerId}/suspend`, 'staff', { reason: 'Abuse' });
    await settle();
    await clear();
    assert.equal((await post(`/account-reactivation/${asked.id}/approve`, 'staff', {})).status, 200);
    await settle();
    const means = 'Its agents accept events and schedules run again once the account of Acme Agency is active.';
    const bodies = await watch.query<{ body: string }>('select distinct body from notification');
    assert.deepEqual(bodies, [{ body: means }]);
    assert.match(await mailText('account_request_decided'), new RegExp(means.replaceAll(' ', '\\s')));
  });

  it('says what it means also with a note, and of an approved deletion until when it can be taken back', async () => {
    const { clientId } = service.world;
    const id = await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    await clear();
    const approved = await post(`/account-deletion/${id}/approve`, 'owner', { note: 'ok' });
    await settle();
    const [body = ''] = await resolvedBodies();
    const { purgeAfter } = approved.body;
    const until = formatWhen(new Date(purgeAfter), 'UTC', messagesFor('en'));
    assert.equal(
      body,
      `The account is suspended now. Until ${until} it can be reactivated with everything it had; then it is deleted. “ok”`,
    );
    assert.match(await mailText('account_request_decided'), new RegExp(`Until ${until}`.replaceAll(' ', '\\s')));
    // Its agency takes it back.
    await clear();
    const { body: back } = await post('/account-reactivation', 'owner', { clientId, message: 'They stay' });
    await post(`/account-reactivation/${back.id}/approve`, 'owner', {});
    await settle();
    assert.deepEqual(await watch.query(`select n.title, n.body from notification n where n.client_id = $1`, [clientId]), [
      {
        title: 'The deletion of Oak Street Dental was withdrawn',
        body: 'The account is active again: agents accept events and schedules run as before.',
      },
    ]);
    assert.deepEqual(await mails(), ['clientuser notification', 'moderator notification']);
  });

  it('that ends is read, says so and is in no later digest, and the other request of the account stays', async () => {
    const { people, clientId } = service.world;
    const preference = { account_request: { inApp: true, email: 'daily' } };
    assert.equal((await watch.call('PUT', '/notifications/preferences', { as: 'owner', body: preference })).status, 200);
    const seen = () =>
      watch.query(
        `select title, body, read_at is not null as read, mail from notification where user_id = $1 and type = 'account_request' order by title, id`,
        [people.owner.userId],
      );
    const ended = {
      title: 'The deletion of Oak Street Dental is requested',
      body: 'It was decided or withdrawn.',
      read: true,
      mail: 'off',
    };
    const withdrawn = await requestOwn('clientUser', 'Oak Street Dental');
    await settle();
    assert.equal((await post(`/account-deletion/${withdrawn}/cancel`, 'clientUser', {})).status, 200);
    await settle();
    assert.deepEqual(await seen(), [ended]);
    const rejected = await requestOwn('clientUser', 'Oak Street Dental');
    await post(`/clients/${clientId}/suspend`, 'owner', { reason: 'Unpaid' });
    await post('/account-reactivation', 'clientUser', { message: 'Please' });
    await settle();
    assert.equal((await post(`/account-deletion/${rejected}/reject`, 'owner', { note: 'Not yet' })).status, 200);
    await settle();
    const waits = { title: 'The reactivation of Oak Street Dental is requested', body: 'It is waiting for a decision.', read: false };
    assert.deepEqual(await seen(), [ended, ended, { ...waits, mail: 'daily' }]);
    await watch.query('delete from notification_preference');
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

  it('that is rejected says what becomes of the approved deletion', async () => {
    const { clientId } = service.world;
    const confirmName = 'Oak Street Dental';
    for (const [due, means] of [
      ['30 days', /stays suspended and will be deleted\. Until .+ its reactivation can be requested again\./],
      ['-1 day', /The deletion of the account, due since .+, begins now\. It can no longer be reactivated\./],
    ] as const) {
      const { body } = await post('/account-deletion', 'owner', { scope: 'client', clientId, reason: 'x', confirmName });
      await post(`/account-deletion/${body.id}/approve`, 'owner', {});
      const { body: asked } = await post('/account-reactivation', 'clientUser', { message: 'Please' });
      await watch.query('update deletion_request set purge_after = now() + $2::interval where id = $1', [body.id, due]);
      await settle();
      await clear();
      await post(`/account-reactivation/${asked.id}/reject`, 'owner', { note: 'No.' });
      await settle();
      assert.match((await resolvedBodies())[0] ?? '', means);
      assert.match((await mailText('account_request_decided')).replaceAll('\n', ' '), means);
      const { body: again } = await post('/account-reactivation', 'clientUser', { message: 'Please' });
      await post(`/account-reactivation/${again.id}/approve`, 'owner', {});
      await settle();
      await clear();
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
