import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { provisioningChanged } from '#modules/4-setup/provisioning/index.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { users } from '#modules/2-tenancy/users/index.ts';
import { newId } from '#platform/ids.ts';
import { announce, defineTopic } from '#platform/notify.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { endWait } from './end-waits.ts';
import { notifyFromHandOvers } from './notify-from-hand-overs.ts';
import type { NewNotification } from './notify.ts';

let causes: TestService;
let watch: ReactionService;

before(async () => {
  causes = await startTestService({ modules: (platform) => [clients(platform), invitations(platform), team(platform), users(platform)] });
  watch = await startReactionService(causes);
});
after(async () => {
  await watch.close();
  await causes.close();
});
beforeEach(async () => {
  watch.time.now = undefined;
  for (const table of ['notification', 'notification_preference', 'notification_digest', 'mail']) await watch.query(`delete from ${table}`);
  await watch.query('update event set due_at = null');
  await watch.query("delete from app_user where email = 'new@portal.test'");
  await watch.query("update app_user set timezone = 'UTC'");
  await backdateSessions();
});

const notification = (over: Partial<NewNotification> = {}): NewNotification => ({
  partnerId: watch.world.partnerId,
  clientId: null,
  audience: 'team',
  type: 'agent_request_resolved',
  tone: 'ok',
  title: 'Text back is installed',
  body: 'Oak Street Dental has it now.',
  href: '/dashboard/requests',
  subject: 'agent_request:1',
  dedupeKey: 'fact:1',
  ...over,
});
const notify = (over: Partial<NewNotification> = {}) =>
  watch.db.asSystem('events', (tx) => watch.notifications.notify(tx, notification(over)));
/** A changed password ends earlier sessions: the validity of these users' sessions is moved back. */
const backdateSessions = () => watch.query("update app_user set sessions_valid_from = now() - interval '1 minute'");
const idOf = (person: Person): string => watch.world.people[person].userId;
const unread = async (as: Person): Promise<number> => (await watch.call('GET', '/notifications/unread-count', { as })).body.unread;
const prefer = (as: Person, choices: Record<string, { inApp: boolean; email: string }>) =>
  watch.call('PUT', '/notifications/preferences', { as, body: choices });

async function requestEvent(
  type: 'agent_request.submitted' | 'agent_request.resolved' | 'agent_request.provisioning_failed',
  over: Record<string, unknown> = {},
): Promise<void> {
  const { partnerId, clientId } = watch.world;
  const common = {
    partnerId,
    partnerName: 'Acme Agency',
    portalUrl: 'http://portal.test/dashboard',
    agentRequest: {
      id: newId(),
      kind: 'template' as const,
      templateName: 't',
      title: 'Text back',
      status: 'x',
      createdAt: new Date().toISOString(),
    },
    client: { id: clientId, name: 'Oak Street Dental', externalRef: null },
  };
  const data =
    type === 'agent_request.resolved' ? { ...common, resolution: 'fulfilled' as const, note: null, ...over } : { ...common, ...over };
  await watch.db.asSystem('seed', (tx) => publishEvent(tx, { partnerId, clientId, type, data: data as never })); // parsed by its schema there
}

describe('a notification', () => {
  it('reaches those concerned: staff for a request, the agency and its client for its end, no one else', async () => {
    await requestEvent('agent_request.submitted');
    await requestEvent('agent_request.resolved');
    await watch.settle();
    assert.deepEqual(await watch.bell('staff'), ['Acme Agency requests Text back']);
    for (const person of ['owner', 'moderator'] as const) assert.deepEqual(await watch.bell(person), ['Text back is installed']);
    assert.deepEqual(await watch.bell('clientUser'), ['Text back is ready']);
    for (const person of ['otherClientUser', 'rivalOwner', 'rivalClientUser'] as const) assert.deepEqual(await watch.bell(person), []);
  });

  it('of an agent that lacks a required setting says what it needs, and calls it ready to no one', async () => {
    const agent = { id: newId(), name: 'Text back', isActive: true };
    const missingSettings = ['From number', 'Review link'];
    for (const [missing, who] of [
      [{ missingSettings }, 'Acme Agency still has to add something'],
      [
        { missingSettings, missingProfile: ['reviewUrl'] },
        'Acme Agency still has to add something, and you can add under Business: Review link',
      ],
      [
        { missingSettings: ['Review link'], missingProfile: ['reviewUrl'] },
        'Acme Agency or you still have to add, under Business: Review link',
      ],
    ] as const) {
      await requestEvent('agent_request.resolved', { agent: { ...agent, ...missing } });
      await watch.settle();
      const needs = missing.missingSettings.length === 1 ? 'review link' : 'from number and review link';
      assert.equal((await watch.bell('owner'))[0], `Text back is installed and needs ${needs}`);
      const { body } = await watch.call('GET', '/notifications', { as: 'clientUser' });
      assert.deepEqual(
        [body.data[0].title, body.data[0].body],
        ['Text back is being set up', `${who}. You can find the agent under Agents.`],
      );
    }
    await requestEvent('agent_request.resolved', { agent });
    await watch.settle();
    assert.equal((await watch.bell('clientUser'))[0], 'Text back is ready');
  });

  it('of an approved request promises only that it will be set up', async () => {
    await requestEvent('agent_request.resolved', { resolution: 'approved' });
    await watch.settle();
    const { body } = await watch.call('GET', '/notifications', { as: 'owner' });
    assert.deepEqual([body.data[0].title, body.data[0].body], ['Text back was approved', 'It will be set up for Oak Street Dental.']);
  });

  it('is created once, however often its event is replayed and by however many processes', async () => {
    await requestEvent('agent_request.submitted');
    const events = await watch.eventsOf('agent_request.submitted');
    const replay = () => watch.db.asSystem('events', (tx) => watch.notifications.reaction.run(tx, events));
    await Promise.all([watch.settle(), replay(), replay(), replay()]);
    await replay();
    assert.equal((await watch.bell('staff')).filter((title) => title === 'Acme Agency requests Text back').length, events.length);
    const mailed = await watch.mails();
    assert.equal(mailed.length, events.length);
    assert.ok(mailed.every(({ to }) => to === 'staff@portal.test'));
  });

  it('about a failed attempt is not repeated by the alert that the attempt opens', async () => {
    const dedupeKey = `attempt-failed:${newId()}`;
    await notify({ type: 'agent_request_failed', dedupeKey, title: 'Not installed' });
    await notify({ type: 'alert_opened', dedupeKey, title: 'Setup did not finish' });
    assert.deepEqual(await watch.bell('owner'), ['Not installed']);
  });

  it('about a failed attempt names the agent and its client when the alert was first, and mails each person once', async () => {
    const { partnerId } = watch.world;
    const attemptId = newId();
    await watch.query('insert into alert_recipient (partner_id, user_id) values ($1, $2)', [partnerId, idOf('moderator')]);
    await notify({ type: 'alert_opened', mailTo: 'recipients', dedupeKey: `attempt-failed:${attemptId}`, title: 'Setup did not finish' });
    const failed = { message: 'A key is missing.', retryable: true, missingConnections: [], attemptId };
    await requestEvent('agent_request.provisioning_failed', failed);
    await watch.settle();
    await watch.query('delete from alert_recipient');
    const title = 'Text back could not be installed for Oak Street Dental';
    for (const person of ['owner', 'moderator'] as const) assert.deepEqual(await watch.bell(person), [title]);
    assert.deepEqual(await watch.bell('staff'), [`${title} of Acme Agency`]);
    assert.deepEqual((await watch.mails()).map(({ to, subject }) => `${to}: ${subject}`).toSorted(), [
      'moderator@portal.test: Setup did not finish',
      `owner@portal.test: ${title}`,
      `staff@portal.test: ${title} of Acme Agency`,
    ]);
  });

  it('about a failed attempt stays the alert of a person who wants none about requests', async () => {
    const attemptId = newId();
    const body = { agent_request_failed: { inApp: false, email: 'off' }, alert_opened: { inApp: true, email: 'off' } };
    assert.equal((await watch.call('PUT', '/notifications/preferences', { as: 'moderator', body })).status, 200);
    await notify({ type: 'alert_opened', dedupeKey: `attempt-failed:${attemptId}`, title: 'Setup did not finish' });
    await requestEvent('agent_request.provisioning_failed', {
      message: 'A key is missing.',
      retryable: true,
      missingConnections: [],
      attemptId,
    });
    await watch.settle();
    assert.deepEqual(await watch.bell('moderator'), ['Setup did not finish']);
    assert.deepEqual(await watch.bell('owner'), ['Text back could not be installed for Oak Street Dental']);
  });

  it('follows audit entries too: a new member, a change of an account', async () => {
    const invited = await causes.call('POST', '/invitations', {
      as: 'owner',
      body: { kind: 'team', email: 'new@portal.test', fullName: 'Nora New' },
    });
    const token = new URL(invited.body.acceptUrl).pathname.split('/').at(-1);
    const accept = { token, password: 'seven blue herons', fullName: 'Nora New' };
    assert.equal((await causes.call('POST', '/invitations/accept', { body: accept })).status, 201);
    const change = { currentPassword: 'seven green sparrows', newPassword: 'seven green sparrows, again' };
    assert.equal((await causes.call('POST', '/auth/change-password', { as: 'moderator', body: change })).status, 200);
    await watch.settle();
    await backdateSessions();
    assert.deepEqual(await watch.bell('owner'), ['Nora New accepted the invitation']);
    assert.deepEqual((await watch.bell('moderator')).toSorted(), ['Nora New accepted the invitation', 'Your password was changed']);
    assert.deepEqual(
      (
        await watch.query<{ kind: string }>("select kind from mail where to_address = 'moderator@portal.test' and kind <> 'invitation'")
      ).map(({ kind }) => kind),
      ['password_changed'],
      'one mail, by the room that changed it',
    );
  });

  it('of a removed user names who removed it: a member by address, platform staff without theirs', async () => {
    const { clientId } = watch.world;
    const bodiesAfterRemovalBy = async (person: Person): Promise<[string, string]> => {
      const invited = await causes.call('POST', '/invitations', {
        as: 'owner',
        body: { kind: 'client_user', email: 'new@portal.test', clientId },
      });
      const token = new URL(invited.body.acceptUrl).pathname.split('/').at(-1);
      const accept = { token, password: 'seven blue herons', fullName: 'Nora New' };
      assert.equal((await causes.call('POST', '/invitations/accept', { body: accept })).status, 201);
      const [{ id } = { id: '' }] = await watch.query<{ id: string }>("select id from app_user where email = 'new@portal.test'");
      assert.equal((await causes.call('DELETE', `/clients/${clientId}/users/${id}`, { as: person })).status, 204);
      await watch.settle();
      const { body } = await watch.call('GET', '/notifications', { as: 'moderator' });
      const removed = (body.data as { title: string; body: string }[]).find((one) => one.title.endsWith('was removed'));
      return [removed?.title ?? '', removed?.body ?? ''];
    };
    const title = 'new@portal.test was removed';
    assert.deepEqual(await bodiesAfterRemovalBy('owner'), [title, 'From Oak Street Dental. Removed by owner@portal.test.']);
    assert.deepEqual(await bodiesAfterRemovalBy('staff'), [title, 'From Oak Street Dental. Removed by platform staff.']);
  });

  it('of a member whom staff made an admin reaches every admin of the agency, with a mail, and no one else', async () => {
    const path = `/users/${idOf('moderator')}/make-admin`;
    assert.equal((await causes.call('POST', path, { as: 'staff', body: { reason: 'The admin left.' } })).status, 204);
    await watch.settle();
    await backdateSessions();
    try {
      const title = 'moderator@portal.test is now an admin of your agency';
      for (const person of ['owner', 'moderator'] as const) assert.deepEqual(await watch.bell(person), [title]);
      for (const person of ['staff', 'clientUser', 'rivalOwner'] as const) assert.deepEqual(await watch.bell(person), []);
      const mails = await watch.mails();
      assert.deepEqual(mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted(), [
        `moderator@portal.test: ${title}`,
        `owner@portal.test: ${title}`,
      ]);
    } finally {
      await watch.query("update app_user set partner_role = 'moderator' where id = $1", [idOf('moderator')]);
    }
  });

  it('of a member whom an admin of the agency made an admin reaches the others; of one who is a moderator again, no one', async () => {
    const title = 'moderator@portal.test is now an admin of your agency';
    const set = async (partnerRole: string): Promise<void> => {
      const path = `/partners/me/team/${idOf('moderator')}`;
      assert.equal((await causes.call('PATCH', path, { as: 'owner', body: { partnerRole } })).status, 200);
      await watch.settle();
      await backdateSessions();
    };
    await set('admin');
    const { body } = await watch.call('GET', '/notifications', { as: 'moderator' });
    assert.deepEqual([body.data[0]?.title, body.data[0]?.body], [title, 'owner@portal.test changed the permission.']);
    await set('moderator');
    assert.deepEqual([await watch.bell('owner'), await watch.bell('moderator')], [[], [title]]);
    assert.deepEqual(
      (await watch.mails()).map(({ to, subject }) => `${to}: ${subject}`),
      [`moderator@portal.test: ${title}`],
    );
  });

  it('about renewed recovery codes reaches their owner only', async () => {
    const { secret } = (await causes.call('POST', '/auth/mfa/setup', { as: 'clientUser', body: {} })).body;
    const codeAt = (steps: number): string => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
    assert.equal((await causes.call('POST', '/auth/mfa/enable', { as: 'clientUser', body: { token: codeAt(0) } })).status, 200);
    const renewed = await causes.call('POST', '/auth/mfa/recovery-codes', { as: 'clientUser', body: { token: codeAt(1) } });
    assert.equal(renewed.status, 200, renewed.text);
    await watch.settle();
    await backdateSessions();
    assert.deepEqual((await watch.bell('clientUser')).toSorted(), ['Two-step login was turned on', 'Your recovery codes were renewed']);
    assert.deepEqual(await watch.bell('owner'), []);
  });
});

describe('the language of a notification', () => {
  const textsOf = async (as: Person): Promise<[string, string][]> =>
    (await watch.call('GET', '/notifications', { as })).body.data.map(({ title, body }: { title: string; body: string }) => [title, body]);
  const speak = (locale: string, ...people: Person[]) =>
    watch.query('update app_user set locale = $1 where id = any($2)', [locale, people.map(idOf)]);
  afterEach(() => speak('en-US', 'clientUser', 'owner'));

  it('is that of a client’s user, in the bell and by mail; its agency reads English, also of the same fact', async () => {
    await speak('de-AT', 'clientUser', 'owner');
    const { partnerId, clientId } = watch.world;
    const handedOff = { partnerId, clientId, conversationId: newId(), clientName: 'Oak Street Dental', visitorLabel: 'Visitor A1B2' };
    await watch.db.asSystem('events', (tx) =>
      notifyFromHandOvers(watch.notifications.notify)(tx, [{ ...handedOff, turnId: newId(), isMailed: true }]),
    );
    assert.deepEqual(await textsOf('clientUser'), [
      ['Auf Ihrer Website wartet jemand auf einen Menschen', 'Besucher A1B2 hat etwas gefragt, das der Chatbot einem Menschen überlässt.'],
    ]);
    assert.deepEqual(await textsOf('owner'), [
      ['A visitor to Oak Street Dental’s website waits for a person', 'Visitor A1B2 asked something that the chatbot leaves to a person.'],
    ]);
    const subjects = (await watch.mails()).map(({ to, subject }) => [to, subject]);
    const { email } = watch.world.people.clientUser;
    assert.ok(subjects.some(([to, subject]) => to === email && subject === 'Auf Ihrer Website wartet jemand auf einen Menschen'));
    assert.ok(subjects.some(([to, subject]) => to !== email && subject === 'A visitor to Oak Street Dental’s website waits for a person'));
  });

  it('of a hand-over goes to no address twice: who got its own mail has it in the bell alone, everyone else gets the mail', async () => {
    const { partnerId, clientId } = watch.world;
    const { email } = watch.world.people.clientUser;
    const waits = {
      partnerId,
      clientId,
      conversationId: newId(),
      clientName: 'Twice Dental',
      visitorLabel: 'Visitor C3D4',
      turnId: newId(),
    };
    const earlier = (await watch.mails()).map(({ to }) => to);
    const countOf = (all: readonly string[], address: string): number => all.filter((to) => to === address).length;
    await watch.db.asSystem('events', (tx) =>
      notifyFromHandOvers(watch.notifications.notify)(tx, [{ ...waits, isMailed: true, mailedTo: email.toUpperCase() }]),
    );
    const later = (await watch.mails()).map(({ to }) => to);
    assert.equal((await textsOf('clientUser'))[0]?.[0], 'A visitor to your website waits for a person');
    const { email: owner } = watch.world.people.owner;
    assert.equal(countOf(later, owner), countOf(earlier, owner) + 1);
    assert.equal(countOf(later, email), countOf(earlier, email));
  });

  it('of a visitor who waited says so once the wait is over: it is read, and in no later digest', async () => {
    await speak('es-MX', 'clientUser');
    await prefer('owner', { conversation_handed_off: { inApp: true, email: 'daily' } });
    const { partnerId, clientId } = watch.world;
    const [answered, other] = [newId(), newId()];
    const [{ at: since } = { at: new Date() }] = await watch.query<{ at: Date }>('select clock_timestamp()::timestamptz(3) as at');
    const handOver = (conversationId: string) =>
      watch.db.asSystem('events', (tx) =>
        notifyFromHandOvers(watch.notifications.notify)(tx, [
          { partnerId, clientId, conversationId, clientName: 'Oak', visitorLabel: 'Visitor A1B2', turnId: newId(), isMailed: true },
        ]),
      );
    await handOver(answered);
    await handOver(other);
    const [{ at: until } = { at: since }] = await watch.query<{ at: Date }>('select clock_timestamp()::timestamptz(3) as at');
    const wait = { partnerId, clientId, conversationId: answered, since: since.toISOString(), until: until.toISOString() };
    // A later wait of the same conversation stays.
    await handOver(answered);
    await endWait({ db: watch.db, cancelKeyed: watch.mail.cancelKeyed }, wait);
    await endWait({ db: watch.db, cancelKeyed: watch.mail.cancelKeyed }, wait);
    const rowsOf = async (as: Person) =>
      ((await watch.call('GET', '/notifications', { as })).body.data as { title: string; readAt: string | null }[]).map((one) => [
        one.title,
        one.readAt !== null,
      ]);
    const waits = 'A visitor to Oak’s website waits for a person';
    assert.deepEqual(await rowsOf('owner'), [
      [waits, false],
      [waits, false],
      ['A visitor to Oak Street Dental’s website waited for a person', true],
    ]);
    assert.deepEqual((await rowsOf('clientUser')).at(-1), ['Un visitante de su sitio web esperó a una persona', true]);
    assert.deepEqual([await unread('owner'), await unread('clientUser')], [2, 2]);
    const pending = await watch.query("select id from notification where mail = 'daily' and user_id = $1", [idOf('owner')]);
    assert.equal(pending.length, 2);
  });

  it('of a visitor who waited is mailed to no one any more once the wait is over, nor to the hand-over address', async () => {
    const { partnerId, clientId } = watch.world;
    const [conversationId, other] = [newId(), newId()];
    const data = {
      clientName: 'Oak',
      visitorLabel: 'Visitor',
      why: 'visitor',
      message: 'Hello?',
      at: new Date(),
      href: '/client',
    } as const;
    for (const id of [conversationId, other])
      await watch.db.asSystem('events', async (tx) => {
        const turnId = newId();
        const dedupeKey = `conversation_handed_off:${id}:${turnId}`;
        await watch.mail.queueMail(tx, { kind: 'conversation_handed_off', partnerId, to: 'desk@oak.test', dedupeKey, data });
        await notifyFromHandOvers(watch.notifications.notify)(tx, [
          {
            partnerId,
            clientId,
            conversationId: id,
            clientName: 'Oak',
            visitorLabel: 'Visitor',
            turnId,
            isMailed: true,
            mailedTo: 'desk@oak.test',
          },
        ]);
      });
    const [{ at } = { at: new Date() }] = await watch.query<{ at: Date }>('select clock_timestamp()::timestamptz(3) as at');
    const wait = { partnerId, clientId, conversationId, since: at.toISOString(), until: at.toISOString() };
    await endWait({ db: watch.db, cancelKeyed: watch.mail.cancelKeyed }, wait);
    const counted = await watch.query<{ about: string; cancelled: number; all: number }>(
      `select split_part(dedupe_key, ':', 2) as about, count(*) filter (where status = 'cancelled')::int as cancelled, count(*)::int as all from mail group by 1`,
    );
    const byConversation = new Map(counted.map(({ about, cancelled, all }) => [about, [cancelled, all]]));
    const [cancelled = 0, all = -1] = byConversation.get(conversationId) ?? [];
    assert.ok(all > 1);
    assert.equal(cancelled, all);
    assert.deepEqual(byConversation.get(other), [0, all]);
  });

  it('has the title that the template has in that language, and is English where the language is not offered', async () => {
    const agentRequest = {
      id: newId(),
      kind: 'template',
      templateName: 'missed-call-text-back',
      title: 'Missed-call text-back',
      status: 'x',
    };
    const done = () => requestEvent('agent_request.resolved', { agentRequest: { ...agentRequest, createdAt: new Date().toISOString() } });
    for (const [locale, title] of [
      ['de', 'SMS nach verpasstem Anruf ist bereit'],
      ['fr-FR', 'Missed-call text-back is ready'],
    ] as const) {
      await speak(locale, 'clientUser');
      await done();
      await watch.settle();
      assert.equal((await watch.bell('clientUser'))[0], title);
    }
  });

  it('is that of the reader for their own account, and of the digest', async () => {
    await speak('es-MX', 'clientUser');
    await prefer('clientUser', { agent_request_resolved: { inApp: true, email: 'daily' } });
    await watch.call('POST', '/notifications/sample', { as: 'clientUser' });
    assert.deepEqual(await textsOf('clientUser'), [['Aviso de prueba', 'Así se ve un aviso.']]);
    await notify({ audience: 'client', clientId: watch.world.clientId });
    watch.time.now = new Date(Date.now() + 86_400_000);
    watch.time.now.setUTCHours(9);
    await watch.notifications.sendDigests();
    const digest = (await watch.mails()).find(({ kind }) => kind === 'digest');
    assert.equal(digest?.subject, 'Acme Agency: 1 aviso');
  });
});

describe('the bell', () => {
  it('counts, marks one and marks all, and each person has only their own', async () => {
    for (const n of [1, 2, 3]) await notify({ dedupeKey: `fact:${n}`, title: `Item ${n}` });
    assert.deepEqual([await unread('owner'), await unread('moderator'), await unread('clientUser')], [3, 3, 0]);
    const { body } = await watch.call('GET', '/notifications?limit=2', { as: 'owner' });
    assert.deepEqual(
      body.data.map(({ title }: { title: string }) => title),
      ['Item 3', 'Item 2'],
    );
    const rest = await watch.call('GET', `/notifications?limit=2&cursor=${body.nextCursor}`, { as: 'owner' });
    assert.deepEqual(
      rest.body.data.map(({ title }: { title: string }) => title),
      ['Item 1'],
    );
    const [{ id }] = body.data;
    for (const person of ['moderator', 'rivalOwner', 'clientUser', 'staff'] as const)
      assert.equal((await watch.call('POST', `/notifications/${id}/read`, { as: person })).status, 404, person);
    assert.equal((await watch.call('POST', `/notifications/${id}/read`, { as: 'owner' })).status, 204);
    assert.equal((await watch.call('POST', `/notifications/${id}/read`, { as: 'owner' })).status, 204);
    assert.deepEqual((await watch.call('GET', '/notifications?unread=true', { as: 'owner' })).body.data.length, 2);
    assert.equal((await watch.call('POST', '/notifications/read-all', { as: 'moderator' })).status, 204);
    assert.deepEqual([await unread('owner'), await unread('moderator')], [2, 0]);
    await watch.assertRefused('GET', '/notifications', {});
  });

  it('costs one statement for the list and one for the count', async () => {
    await notify();
    assert.equal(await watch.countStatements(() => watch.call('GET', '/notifications', { as: 'owner' })), 4);
    assert.equal(await watch.countStatements(() => watch.call('GET', '/notifications/unread-count', { as: 'owner' })), 4);
  });

  it('is not changed by a view-as session', async () => {
    await notify();
    const body = { partnerId: watch.world.partnerId, reason: 'They asked for help.' };
    const looking = await watch.call('POST', '/auth/view-as', { as: 'staff', body });
    const headers = { authorization: `Bearer ${looking.body.accessToken}` };
    const answer = await watch.call('POST', '/notifications/read-all', { headers });
    assert.deepEqual([answer.status, answer.body?.code], [403, 'view_as_read_only']);
    assert.equal(await unread('owner'), 1);
  });

  let origin: string | undefined;

  it('streams the count at once, then each new notification with the count, and what was read elsewhere', async () => {
    origin ??= await watch.listen();
    const hangUp = new AbortController();
    const response = await fetch(`${origin}/notifications/stream`, { headers: watch.bearer('owner'), signal: hangUp.signal });
    const seen: string[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? [])
        for (const line of decoder.decode(chunk).split('\n')) if (line.startsWith('data: ')) seen.push(line.slice(6));
    })().catch(() => undefined);
    const counts = () => seen.flatMap((line) => (line.includes('"unread"') ? [(JSON.parse(line) as { unread: number }).unread] : [])); // the line just told what it is
    await until('the count is there', () => counts().length > 0);
    await notify({ title: 'Streamed' });
    await until('it was streamed', () => seen.some((line) => line.includes('Streamed')) && counts().at(-1) === 1);
    await notify({ audience: 'staff', dedupeKey: 'other', title: 'For someone else' });
    await watch.call('POST', '/notifications/read-all', { as: 'owner' });
    await until('the count is down', () => counts().at(-1) === 0);
    assert.ok(!seen.some((line) => line.includes('For someone else')));
    assert.equal(seen.filter((line) => line.includes('Streamed')).length, 1);
    hangUp.abort();
    await reading;
  });

  it('says to open pages that agents were installed or compared, to those whom it concerns', async () => {
    const { partnerId, rivalPartnerId, clientId, otherClientId } = watch.world;
    // From here on nothing is missed: the notices of setups, and then of another channel, are listened to.
    const stops = [watch.notices.subscribe(provisioningChanged, () => undefined)];
    await new Promise<void>((resolve) => {
      stops.push(watch.notices.subscribe(defineTopic('listened_to', z.object({})), () => undefined, resolve));
    });
    const listen = async (person: Person) => {
      const hangUp = new AbortController();
      const response = await fetch(`${(origin ??= await watch.listen())}/notifications/stream`, {
        headers: watch.bearer(person),
        signal: hangUp.signal,
      });
      let text = '';
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
      })().catch(() => undefined);
      await until('the count is there', () => text.includes('event: notification.count'));
      const setups = (): string[] => [...text.matchAll(/^event: setup\.changed\ndata: (.*)$/gm)].map(([, data = '']) => data);
      return { setups, end: () => (hangUp.abort(), reading) };
    };
    const all = {
      owner: await listen('owner'),
      staff: await listen('staff'),
      clientUser: await listen('clientUser'),
      rival: await listen('rivalOwner'),
    };
    type Notice = { clientId: string | null; what: 'begun' | 'step' | 'ended' | 'compared'; partnerId: string };
    const say = (notice: Notice) => watch.db.asSystem('seed', (tx) => announce(tx, provisioningChanged, { attemptId: null, ...notice }));
    await say({ partnerId, clientId: null, what: 'step' });
    await say({ partnerId, clientId: otherClientId, what: 'ended' });
    await say({ partnerId, clientId, what: 'ended' });
    await say({ partnerId, clientId: null, what: 'compared' });
    await say({ partnerId: rivalPartnerId, clientId: null, what: 'begun' });
    const own = JSON.stringify({ partnerId });
    await until('all were sent', () => all.staff.setups().length === 4 && all.rival.setups().length === 1);
    assert.deepEqual(all.owner.setups(), [own, own, own]);
    assert.deepEqual(all.clientUser.setups(), [own], 'of comparisons, a client sees nothing');
    const rival = JSON.stringify({ partnerId: rivalPartnerId });
    assert.deepEqual(all.rival.setups(), [rival]);
    // Notices may be missed: the connection for them is lost.
    await watch.query(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and application_name = 'portal notices'",
    );
    await until(
      'it is said again',
      () => all.owner.setups().length === 4 && all.clientUser.setups().length === 2 && all.rival.setups().length === 2,
    );
    assert.deepEqual([all.owner.setups().at(-1), all.clientUser.setups().at(-1), all.rival.setups().at(-1)], [own, own, rival]);
    assert.equal(all.staff.setups().length, 4);
    for (const stop of stops) stop();
    for (const one of Object.values(all)) await one.end();
  });

  it('says to a page that resumes which setups changed meanwhile, to those whom they concern', async () => {
    const { partnerId, rivalPartnerId } = watch.world;
    const before = Date.now() - 60_000;
    await watch.query(
      `insert into automation_instance (partner_id, provider, tenancy_mode, updated_at) values ($1, 'activepieces', 'shared', now()), ($2, 'activepieces', 'shared', now())
        on conflict (partner_id) do nothing`,
      [partnerId, rivalPartnerId],
    );
    // It would set the time of each change.
    await watch.query('alter table automation_instance disable trigger automation_instance_touch');
    const setupsSince = async (person: Person, lastEventId: string | undefined): Promise<string[]> => {
      const hangUp = new AbortController();
      const headers = { ...watch.bearer(person), ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
      const response = await fetch(`${(origin ??= await watch.listen())}/notifications/stream`, { headers, signal: hangUp.signal });
      let text = '';
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
      })().catch(() => undefined);
      await until('the count is there', () => /event: notification.count\n.*\n/.test(text));
      hangUp.abort();
      await reading;
      return [...text.matchAll(/^event: setup\.changed\ndata: (.*)$/gm)].map(
        ([, data = '']) => (JSON.parse(data) as { partnerId: string }).partnerId,
      );
    };
    try {
      await watch.query(
        "update automation_instance set updated_at = case partner_id when $1 then now() else now() - interval '1 hour' end",
        [partnerId],
      );
      const resumed = String(before);
      assert.deepEqual(await setupsSince('owner', resumed), [partnerId]);
      assert.deepEqual(await setupsSince('clientUser', resumed), [partnerId]);
      assert.deepEqual(await setupsSince('staff', resumed), [partnerId]);
      assert.deepEqual(await setupsSince('rivalOwner', resumed), [], 'its own setup did not change');
      assert.deepEqual(await setupsSince('owner', undefined), [], 'what is read first is whole');
      await watch.query("update automation_instance set updated_at = now() - interval '1 hour'");
      assert.deepEqual(await setupsSince('owner', resumed), []);
      assert.deepEqual(
        await setupsSince('staff', String(Date.now() - 7_200_000)).then((ids) => ids.toSorted()),
        [partnerId, rivalPartnerId].toSorted(),
      );
    } finally {
      await watch.query('alter table automation_instance enable trigger automation_instance_touch');
      await watch.query('delete from automation_instance');
    }
  });

  it('resumes after the last event: only the count that ends a read carries its time', async () => {
    await notify();
    const hangUp = new AbortController();
    const headers = { ...watch.bearer('owner'), 'last-event-id': '1700000000000' };
    const response = await fetch(`${(origin ??= await watch.listen())}/notifications/stream`, { headers, signal: hangUp.signal });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
    })().catch(() => undefined);
    await until('the count is there', () => /event: notification.count\n.*\n/.test(text));
    const sent = [...text.matchAll(/^id: (\d+)\nevent: (.*)$/gm)].map(([, id, event]) => [event, id]);
    assert.deepEqual(sent[0], ['notification.created', '1700000000000']);
    assert.deepEqual([sent[1]?.[0], Number(sent[1]?.[1]) > 1_700_000_000_000], ['notification.count', true]);
    hangUp.abort();
    await reading;
  });

  it('keeps notifications for ninety days', async () => {
    await notify({ dedupeKey: 'old' });
    await watch.query("update notification set created_at = now() - interval '91 days'");
    await notify({ dedupeKey: 'young' });
    await watch.runner.runCron('notifications.forget');
    assert.deepEqual(await watch.query('select distinct dedupe_key from notification'), [{ dedupe_key: 'young' }]);
  });
});

describe('preferences', () => {
  it('are offered for what can reach the role, with safe defaults', async () => {
    const of = async (as: Person) => (await watch.call('GET', '/notifications/preferences', { as })).body;
    const all = [
      'agent_request_resolved',
      'text_suggestion_resolved',
      'account_suspended',
      'account_request_resolved',
      'export_ready',
      'conversation_handed_off',
      'security',
    ];
    assert.deepEqual(Object.keys(await of('clientUser')), all);
    assert.deepEqual((await of('moderator')).alert_opened, { inApp: true, email: 'now', emailFixed: false });
    assert.deepEqual((await of('staff')).security, { inApp: true, email: 'now', emailFixed: true });
  });

  it('are not offered to a moderator for what reaches admins alone, whose choice of before is kept', async () => {
    assert.equal((await prefer('owner', { account_request: { inApp: false, email: 'now' } })).status, 200);
    assert.equal((await prefer('moderator', { account_request: { inApp: false, email: 'now' } })).status, 422);
    await watch.query(
      `insert into notification_preference (user_id, partner_id, type, in_app, email) values ($1, $2, 'account_request', false, 'off')`,
      [idOf('moderator'), watch.world.partnerId],
    );
    const { body } = await prefer('moderator', { alert_opened: { inApp: true, email: 'off' } });
    assert.deepEqual([body.alert_opened.email, body.account_request], ['off', undefined]);
    const stored = await watch.query("select email from notification_preference where user_id = $1 and type = 'account_request'", [
      idOf('moderator'),
    ]);
    assert.deepEqual(stored, [{ email: 'off' }]);
  });

  it('decide how each user is notified: in the bell, by mail, by both or not at all', async () => {
    assert.equal((await prefer('owner', { agent_request_resolved: { inApp: false, email: 'now' } })).status, 200);
    assert.equal((await prefer('moderator', { agent_request_resolved: { inApp: false, email: 'off' } })).status, 200);
    await notify();
    assert.deepEqual([await watch.bell('owner'), await watch.bell('moderator')], [[], []]);
    assert.deepEqual(await watch.mails(), [{ to: 'owner@portal.test', kind: 'notification', subject: 'Text back is installed' }]);
    assert.equal(await unread('owner'), 0);
    assert.deepEqual((await watch.query('select user_id from notification')).length, 1);
    const [line] = await watch.query(
      "select changes from audit_entry where action = 'notification.preferences_changed' and actor_id = $1 order by id desc",
      [idOf('moderator')],
    );
    assert.deepEqual(line, { changes: { agent_request_resolved: ['in the bell, mail daily', 'not in the bell, mail off'] } });
  });

  it('cannot switch off mail about the security of an account, nor name types that never reach the role', async () => {
    for (const email of ['off', 'daily']) {
      const { status, body } = await prefer('moderator', { security: { inApp: true, email } });
      assert.deepEqual([status, body.code, body.errors[0].field], [422, 'validation_failed', 'security.email']);
    }
    assert.equal((await prefer('moderator', { security: { inApp: false, email: 'now' } })).status, 200);
    assert.equal((await prefer('clientUser', { alert_opened: { inApp: true, email: 'now' } })).status, 422);
    const unknown = await prefer('owner', { no_such_type: { inApp: true, email: 'now' }, security: { inApp: true, email: 'now' } });
    assert.equal(unknown.status, 200, 'an unknown member is ignored, as in every body');
    assert.ok(!('no_such_type' in unknown.body));
    assert.equal((await watch.call('GET', '/notifications/preferences', { as: 'owner' })).body.security.inApp, true);
  });

  it('can be tried: a sample reaches the caller only, once a minute', async () => {
    watch.time.now = new Date();
    for (let n = 0; n < 3; n += 1) assert.equal((await watch.call('POST', '/notifications/sample', { as: 'moderator' })).status, 204);
    const samples = await watch.query<{ minutes: number }>("select count(*)::int as minutes from notification where subject = 'sample'");
    assert.ok((samples[0]?.minutes ?? 0) <= 2);
    assert.deepEqual(await watch.bell('owner'), []);
    assert.equal((await watch.mails())[0]?.to, 'moderator@portal.test');
  });

  it('do not keep the sample from the mail that its sender asked for, and a later digest has it no more', async () => {
    assert.equal((await prefer('owner', { alert_opened: { inApp: false, email: 'off' } })).status, 200);
    for (const person of ['clientUser', 'owner'] as const)
      assert.equal((await watch.call('POST', '/notifications/sample', { as: person })).status, 204);
    assert.deepEqual((await watch.mails()).map(({ to, kind }) => `${to} ${kind}`).toSorted(), [
      'clientuser@portal.test notification',
      'owner@portal.test notification',
    ]);
    assert.deepEqual([await watch.bell('clientUser'), await watch.bell('owner')], [['Sample notification'], []]);
    watch.time.now = new Date(Date.now() + 86_400_000);
    watch.time.now.setUTCHours(9);
    assert.equal(await watch.notifications.sendDigests(), 0);
  });
});

describe('the daily digest', () => {
  const at = (time: string) => (watch.time.now = new Date(time));
  const digests = async () => (await watch.mails()).filter(({ kind }) => kind === 'digest');

  it('is sent once a day in each user’s own morning, with what was pending', async () => {
    await watch.query("update app_user set timezone = 'America/Chicago' where id = $1", [idOf('moderator')]);
    await notify({ dedupeKey: 'a' });
    await notify({ dedupeKey: 'b' });
    at('2026-03-02T07:59:00Z');
    assert.equal(await watch.notifications.sendDigests(), 0);
    at('2026-03-02T08:00:00Z');
    const made = await Promise.all([
      watch.notifications.sendDigests(),
      watch.notifications.sendDigests(),
      watch.notifications.sendDigests(),
    ]);
    assert.equal(
      made.reduce((sum, one) => sum + one, 0),
      1,
    );
    assert.deepEqual(await digests(), [{ to: 'owner@portal.test', kind: 'digest', subject: 'Acme Agency: 2 notifications' }]);
    await notify({ dedupeKey: 'c' });
    at('2026-03-02T15:00:00Z');
    assert.equal(await watch.notifications.sendDigests(), 1);
    assert.equal((await digests())[1]?.to, 'moderator@portal.test');
    assert.equal(await watch.notifications.sendDigests(), 0, 'what was created after the digest waits for the next one');
    at('2026-03-03T09:00:00Z');
    assert.equal(await watch.notifications.sendDigests(), 1);
    assert.deepEqual(
      (await digests()).map(({ subject }) => subject),
      ['Acme Agency: 2 notifications', 'Acme Agency: 3 notifications', 'Acme Agency: 1 notification'],
    );
  });

  it('is not sent when nothing is pending: all was read, or mail was switched off', async () => {
    await notify({ dedupeKey: 'a' });
    await watch.call('POST', '/notifications/read-all', { as: 'owner' });
    await prefer('moderator', { agent_request_resolved: { inApp: true, email: 'off' } });
    at('2026-03-02T08:30:00Z');
    assert.equal(await watch.notifications.sendDigests(), 0);
    await notify({ dedupeKey: 'b' });
    assert.equal(await watch.notifications.sendDigests(), 1, 'an empty digest does not use up the day');
    assert.deepEqual(
      (await digests()).map(({ to }) => to),
      ['owner@portal.test'],
    );
  });
});

describe('a user who was disabled', () => {
  it('gets no digest of what waited then once they are enabled, and one of what comes after', async () => {
    const setStatus = (status: 'active' | 'disabled') =>
      causes.call('PATCH', `/users/${idOf('moderator')}`, { as: 'staff', body: { status } });
    await notify({ dedupeKey: 'before', userIds: [idOf('moderator')] });
    assert.equal((await setStatus('disabled')).status, 200);
    assert.equal((await setStatus('active')).status, 200);
    await backdateSessions();
    await watch.query('delete from notification where user_id <> $1', [idOf('moderator')]);
    watch.time.now = new Date('2026-03-02T08:30:00Z');
    assert.equal(await watch.notifications.sendDigests(), 0);
    await notify({ dedupeKey: 'after' });
    assert.equal(await watch.notifications.sendDigests(), 2);
    const { subject } = (await watch.mails()).find(({ to, kind }) => kind === 'digest' && to === 'moderator@portal.test') ?? {
      subject: '',
    };
    assert.equal(subject, 'Acme Agency: 1 notification');
  });
});

describe('notifications that a digest is taking', () => {
  it('are locked oldest first, so that marking all as read does not deadlock with it', async () => {
    for (const n of [1, 2]) await notify({ dedupeKey: `fact:${n}` });
    const rows = await watch.db.asSystem('seed', (tx) =>
      tx.selectFrom('notification').select('id').where('userId', '=', idOf('owner')).orderBy('id').execute(),
    );
    const [older = '', newer = ''] = rows.map((row) => row.id);
    // Stored again, behind the newer one.
    await watch.query(`update notification set created_at = created_at - interval '1 second' where id = '${older}'`);
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const other = watch.db.asSystem('seed', async (tx) => {
      await tx.updateTable('notification').set({ digestedAt: new Date() }).where('id', '=', older).execute();
      held.resolve(undefined);
      await goOn.promise;
      await tx.updateTable('notification').set({ digestedAt: new Date() }).where('id', '=', newer).execute();
    });
    await held.promise;
    const reading = watch.call('POST', '/notifications/read-all', { as: 'owner' });
    await until('the click waits for the mail', async () => (await countLockWaits(watch.database)) > 0);
    goOn.resolve(undefined);
    const [reply] = await Promise.all([reading, other]);
    assert.equal(reply.status, 204);
    assert.equal(await unread('owner'), 0);
  });
});
