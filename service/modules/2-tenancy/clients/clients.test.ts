import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { clients } from './index.ts';

let service: TestService;
let path: string;
before(async () => {
  service = await startTestService({
    modules: (platform) => [clients(platform), invitations(platform)],
  });
  path = `/clients/${service.world.clientId}`;
});
after(() => service.close());

const foreign = { rivalOwner: 'not_found', clientUser: 'role_forbidden' };
const closedToModerators = { ...foreign, moderator: 'partner_role_forbidden' };
const create = (body: object, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('POST', '/clients', { as, body: { name: 'Maple Vet', ...body } });
const idsOf = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map((row) => row.id);

describe('whom the agents of a client text', () => {
  it('is its own country, and as many first contacts as the service allows, unless its agency decides otherwise', async () => {
    const { body } = await create({ timezone: 'Europe/Berlin' });
    const { textCountries, ownCountries, firstContactsPerHour, standardFirstContactsPerHour } = body;
    assert.deepEqual([textCountries, ownCountries, firstContactsPerHour, standardFirstContactsPerHour], [null, ['DE'], null, 60]);
    const patch = (change: object, as: 'owner' | 'clientUser' = 'owner') =>
      service.call('PATCH', `/clients/${body.id}`, { as, body: change });
    const changed = await patch({ textCountries: ['AT', 'DE'], firstContactsPerHour: 5 });
    assert.deepEqual([changed.body.textCountries, changed.body.firstContactsPerHour], [['AT', 'DE'], 5]);
    const cleared = await patch({ textCountries: null, firstContactsPerHour: null });
    assert.deepEqual([cleared.body.textCountries, cleared.body.firstContactsPerHour], [null, null]);
  });

  it('takes countries that exist, one at least, and a cap that lets someone through', async () => {
    for (const [change, field] of [
      [{ textCountries: ['XX'] }, 'textCountries'],
      [{ textCountries: ['de'] }, 'textCountries'],
      [{ textCountries: [] }, 'textCountries'],
      [{ firstContactsPerHour: 0 }, 'firstContactsPerHour'],
    ] as const) {
      const { status, body } = await service.call('PATCH', path, { as: 'owner', body: change });
      assert.deepEqual([status, body.errors?.[0]?.field], [422, field], JSON.stringify(body));
    }
  });

  it('is neither shown to the client nor changed by it', async () => {
    const own = (await service.call('GET', '/clients/me', { as: 'clientUser' })).body;
    assert.deepEqual([own.textCountries, own.firstContactsPerHour, own.ownCountries], [undefined, undefined, undefined]);
    await service.call('PATCH', '/clients/me', { as: 'clientUser', body: { firstContactsPerHour: 10_000 } });
    assert.equal((await service.call('GET', path, { as: 'owner' })).body.firstContactsPerHour, null);
  });

  it('stays in the countries where it was when the client changes its own phone or time zone', async () => {
    const read = async () => (await service.call('GET', path, { as: 'owner' })).body;
    const change = (body: object, as: 'owner' | 'clientUser') => service.call('PATCH', as === 'owner' ? path : '/clients/me', { as, body });
    const { timezone, phone, contactName } = await read();
    await change({ timezone: 'Europe/Berlin', phone: null, textCountries: null }, 'owner');
    assert.equal((await change({ timezone: 'Europe/Paris', contactName: 'Kim' }, 'clientUser')).status, 200);
    assert.deepEqual([(await read()).ownCountries, (await read()).textCountries], [['FR'], ['DE']]);
    // Neither names a country now, and any would be texted.
    assert.equal((await change({ timezone: 'UTC' }, 'clientUser')).status, 200);
    assert.deepEqual([(await read()).ownCountries, (await read()).textCountries], [[], ['DE']]);
    await change({ timezone: 'Europe/Berlin', textCountries: null }, 'owner');
    assert.equal((await change({ phone: '+49 30 901820', timezone: 'Europe/Busingen' }, 'clientUser')).status, 200);
    assert.equal((await read()).textCountries, null, 'the country is the same');
    await change({ phone: '+33 1 42 68 53 00' }, 'owner');
    assert.deepEqual([(await read()).ownCountries, (await read()).textCountries], [['FR'], null], 'its agency decides');
    await change({ timezone, phone, contactName }, 'owner');
  });
});

describe('adding a client', () => {
  it('stores the given fields and defaults the rest', async () => {
    const { status, body } = await create({
      contactEmail: 'Vet@Maple.test',
      businessProfile: { hours: 'Mon-Fri 9-5' },
      industry: 'Vets',
      partnerId: undefined,
    });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.contactEmail, body.status, body.health, body.timezone, body.invitation],
      ['vet@maple.test', 'active', 'not_installed', 'UTC', null],
    );
    assert.deepEqual(body.businessProfile, { hours: 'Mon-Fri 9-5', bookingUrl: '', reviewUrl: '', address: '', faqText: '' });
    assert.deepEqual(body.counts, { agents: 0, runs30d: 0, failures30d: 0 });
  });

  it('invites its first user in the same transaction, or adds nothing', async () => {
    const { body } = await create({ name: 'With user', inviteEmail: 'first@user.test' });
    assert.deepEqual([body.invitation.kind, body.invitation.clientId], ['client_user', body.id]);
    assert.match(body.invitation.acceptUrl, /\/invite\//);
    assert.equal((await create({ name: 'Never there', inviteEmail: 'first@user.test' })).body.code, 'already_pending');
    const refused = await create({ name: 'Never there', inviteEmail: 'owner@portal.test' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'email_in_use']);
    assert.deepEqual(idsOf(await service.call('GET', '/clients?q=Never+there', { as: 'owner' })), []);
    const events = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('event').select('id').where('type', '=', 'client_user.invited').execute(),
    );
    assert.equal(events.length, 1);
  });

  it('stops at the limit of the plan, also under concurrency', async () => {
    const terms = (included: number) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('subscription')
          .set({ overrides: JSON.stringify({ includedClients: included }) })
          .where('partnerId', '=', service.world.rivalPartnerId)
          .execute(),
      );
    await terms(3);
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => create({ name: `Race ${n}` }, 'rivalOwner')));
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [201, 201, 409, 409, 409, 409],
    );
    const refused = replies.find((reply) => reply.status === 409);
    assert.deepEqual([refused?.body.code, refused?.body.limit, refused?.body.used], ['client_limit_reached', 3, 3]);
    const first = replies.find((reply) => reply.status === 201);
    await service.call('POST', `/clients/${first?.body.id}/archive`, { as: 'rivalOwner' });
    assert.equal((await create({ name: 'After archive' }, 'rivalOwner')).status, 201);
  });

  it('is for partner admins only, and validates its fields', async () => {
    await service.assertRefused(
      'POST',
      '/clients',
      { staff: 'role_forbidden', moderator: 'partner_role_forbidden', clientUser: 'role_forbidden' },
      { name: 'x' },
    );
    const wrong = await create({ name: '', website: 'javascript:alert(1)', timezone: 'Nowhere', contactEmail: 'no' });
    assert.deepEqual([wrong.status, wrong.body.errors.length], [422, 4]);
    assert.equal(
      (await service.call('POST', '/clients', { as: 'owner', body: { name: 'x', partnerId: service.world.partnerId } })).body.code,
      'scope_forbidden',
    );
  });
});

describe('the list of clients', () => {
  it('filters by text, state and health, pages without gaps, and stays inside the partner', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', lastRunAt: new Date() });
      await addWorkflow(tx, {
        partnerId,
        clientId: otherClientId,
        templateName: 'missed-call-text-back',
        consecutiveFailures: 3,
        lastRunAt: new Date(),
      });
      await addWorkflow(tx, { partnerId, clientId: otherClientId, templateName: 'lead-intake-cleaner', lastRunAt: new Date() });
    });
    assert.deepEqual(idsOf(await service.call('GET', '/clients?health=failing', { as: 'moderator' })), [otherClientId]);
    assert.deepEqual(idsOf(await service.call('GET', '/clients?q=oak&health=ok', { as: 'owner' })), [clientId]);
    assert.deepEqual(idsOf(await service.call('GET', '/clients?status=archived', { as: 'owner' })), []);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<TestService['call']>> = await service.call('GET', `/clients?limit=1&cursor=${cursor}`, {
        as: 'owner',
      });
      seen.push(...idsOf(page));
      cursor = page.body.nextCursor;
    }
    const all = idsOf(await service.call('GET', '/clients?limit=100', { as: 'owner' }));
    assert.deepEqual(seen, all);
    assert.equal(all.includes(service.world.rivalClientId), false);
    const staff = await service.call('GET', `/clients?limit=100&partnerId=${service.world.rivalPartnerId}`, { as: 'staff' });
    assert.ok(idsOf(staff).includes(service.world.rivalClientId) && !idsOf(staff).includes(clientId));
    await service.assertRefused('GET', '/clients', { clientUser: 'role_forbidden' });
    await service.assertRefused('GET', `/clients?partnerId=${service.world.partnerId}`, { owner: 'scope_forbidden' });
    assert.equal((await service.call('GET', '/clients?status=gone', { as: 'owner' })).body.code, 'invalid_query');
  });

  it('takes one statement for a page of any length', async () => {
    assert.equal(await service.countStatements(() => service.call('GET', '/clients?limit=100', { as: 'owner' })), 4);
  });
});

describe('one client', () => {
  it('is read by its partner and by staff only', async () => {
    for (const person of ['owner', 'moderator', 'staff'] as const)
      assert.equal((await service.call('GET', path, { as: person })).body.name, 'Oak Street Dental');
    await service.assertRefused('GET', path, foreign);
    const missing = await service.call('GET', `/clients/${service.world.planId}`, { as: 'owner' });
    const other = await service.call('GET', `/clients/${service.world.rivalClientId}`, { as: 'owner' });
    const same = ({ body }: { body: Record<string, unknown> }) => ({ ...body, instance: '', requestId: '' });
    assert.deepEqual(same(missing), same(other));
  });

  it('is changed member by member, under If-Match', async () => {
    const changed = await service.call('PATCH', path, {
      as: 'owner',
      body: { notes: 'Prefers calls', businessProfile: { hours: '9-5' }, phone: null },
    });
    assert.deepEqual([changed.status, changed.body.notes, changed.body.businessProfile.hours], [200, 'Prefers calls', '9-5']);
    const again = await service.call('PATCH', path, {
      as: 'owner',
      body: { businessProfile: { reviewUrl: 'https://r.test' } },
      headers: { 'if-match': `"${changed.body.updatedAt}"` },
    });
    assert.deepEqual([again.body.businessProfile.hours, again.body.businessProfile.reviewUrl], ['9-5', 'https://r.test']);
    assert.equal(
      (await service.call('PATCH', path, { as: 'owner', body: { name: 'x' }, headers: { 'if-match': `"${changed.body.updatedAt}"` } })).body
        .code,
      'stale_record',
    );
    assert.equal((await service.call('PATCH', path, { as: 'staff', body: { externalRef: 'crm-1' } })).body.externalRef, 'crm-1');
    assert.equal((await service.call('PATCH', path, { as: 'owner', body: { name: 'x'.repeat(121) } })).status, 422);
    await service.assertRefused('PATCH', path, closedToModerators, { name: 'Stolen' });
  });

  it('is suspended, resumed and archived, each from valid states only', async () => {
    const id = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'Moving'));
    const move = (verb: string, body?: object) =>
      service.call('POST', `/clients/${id}/${verb}`, { as: 'owner', ...(body ? { body } : {}) });
    assert.equal((await move('resume')).body.code, 'invalid_state');
    assert.equal((await move('suspend', { reason: 'Unpaid' })).body.status, 'suspended');
    assert.equal((await move('suspend', {})).body.code, 'invalid_state');
    assert.equal((await move('resume', { reason: 'Paid' })).body.status, 'active');
    assert.equal((await move('archive', { reason: 'Left for another agency' })).body.status, 'archived');
    assert.equal((await move('archive')).body.code, 'invalid_state');
    for (const verb of ['suspend', 'resume', 'archive'])
      await service.assertRefused('POST', `/clients/${id}/${verb}`, closedToModerators, {});
    const events = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('event').select('data').where('type', '=', 'account.suspended').where('clientId', '=', id).execute(),
    );
    assert.equal(events.length, 1);
    const actions = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'changes'])
        .where('targetId', '=', id)
        .where('result', '=', 'ok')
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      actions.map((row) => [row.action, (row.changes as { reason?: [null, string] }).reason?.[1]]),
      [
        ['client.suspended', 'Unpaid'],
        ['client.resumed', 'Paid'],
        ['client.archived', 'Left for another agency'],
      ],
    );
  });

  it('allows its users only their profile while it is suspended', async () => {
    await service.call('POST', path.concat('/suspend'), { as: 'owner', body: {} });
    assert.equal((await service.call('GET', '/clients/me', { as: 'clientUser' })).body.code, 'account_suspended');
    assert.equal((await service.call('GET', '/auth/me', { as: 'clientUser' })).status, 200);
    await service.call('POST', path.concat('/resume'), { as: 'owner' });
    assert.equal((await service.call('GET', '/clients/me', { as: 'clientUser' })).status, 200);
  });
});

describe('the users of a client', () => {
  it('are paged newest first, each once', async () => {
    const { partnerId, otherClientId } = service.world;
    const emails = ['ada', 'ben', 'cleo'].map((name) => `${name}@pages.test`);
    await service.db.asSystem('seed', async (tx) => {
      for (const email of emails)
        await tx.insertInto('appUser').values({ email, fullName: email, role: 'CLIENT', partnerId, clientId: otherClientId }).execute();
    });
    const list = `/clients/${otherClientId}/users`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await service.call('GET', `${list}?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { as: 'owner' });
      assert.ok(body.data.length <= 2);
      seen.push(...body.data.map((user: { email: string }) => user.email));
      cursor = body.nextCursor;
    }
    assert.deepEqual(seen, [...emails.toReversed(), 'otherclientuser@portal.test']);
    const { body } = await service.call('GET', `${list}?limit=1`, { as: 'owner' });
    const elsewhere = await service.call('GET', `${path}/users?cursor=${encodeURIComponent(body.nextCursor)}`, { as: 'owner' });
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor']);
  });

  it('are listed and removed by the partner, and their sessions end at once', async () => {
    const users = await service.call('GET', `${path}/users`, { as: 'moderator' });
    assert.deepEqual(
      users.body.data.map((user: { email: string }) => user.email),
      ['clientuser@portal.test'],
    );
    await service.assertRefused('GET', `${path}/users`, foreign);
    const other = service.world.people.otherClientUser;
    const userPath = `/clients/${service.world.otherClientId}/users/${other.userId}`;
    await service.assertRefused('DELETE', userPath, closedToModerators);
    assert.equal((await service.call('DELETE', `${path}/users/${other.userId}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', '/clients/me', { as: 'otherClientUser' })).status, 200);
    assert.equal((await service.call('DELETE', userPath, { as: 'owner' })).status, 204);
    assert.equal((await service.call('GET', '/clients/me', { as: 'otherClientUser' })).status, 401);
    assert.equal((await service.call('DELETE', userPath, { as: 'owner' })).status, 404);
  });
});

describe('the own client record', () => {
  it('is read without internal notes, and changed in its own fields only', async () => {
    await service.call('PATCH', path, { as: 'owner', body: { notes: 'secret note' } });
    const own = await service.call('GET', '/clients/me', { as: 'clientUser' });
    assert.deepEqual([own.body.id, own.text.includes('secret note')], [service.world.clientId, false]);
    const changed = await service.call('PATCH', '/clients/me', {
      as: 'clientUser',
      body: { phone: '+1 312 555 0100', businessProfile: { faqText: 'We open at 9.' } },
    });
    for (const field of ['name', 'notes', 'textCountries']) {
      const { status, body } = await service.call('PATCH', '/clients/me', { as: 'clientUser', body: { [field]: 'x' } });
      assert.deepEqual([status, body.errors?.[0]], [422, { ...body.errors?.[0], field, code: 'unknown_member' }], field);
    }
    assert.deepEqual(
      [changed.body.name, changed.body.phone, changed.body.businessProfile.faqText, 'notes' in changed.body],
      ['Oak Street Dental', '+1 312 555 0100', 'We open at 9.', false],
    );
    const closed = { owner: 'role_forbidden', staff: 'role_forbidden' };
    await service.assertRefused('GET', '/clients/me', closed);
    await service.assertRefused('PATCH', '/clients/me', closed, {});
    assert.equal((await service.call('PATCH', '/clients/me', { as: 'clientUser', body: { timezone: 'X' } })).status, 422);
    assert.equal(
      (
        await service.call('PATCH', '/clients/me', {
          as: 'clientUser',
          body: { phone: '1' },
          headers: { 'if-match': '"2020-01-01T00:00:00.000Z"' },
        })
      ).body.code,
      'stale_record',
    );
  });
});

describe('removing a client user while that user writes a row of their own', () => {
  it('completes afterwards without a deadlock', async () => {
    const { clientId, people, partnerId } = service.world;
    const { userId } = people.clientUser;
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    // A user's write locks first their own row, then one that refers to user and client.
    const writing = service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('appUser').set({ fullName: 'Renamed' }).where('id', '=', userId).execute();
      held.resolve(undefined);
      await goOn.promise;
      await sql`insert into user_mfa (user_id, partner_id, client_id, secret_sealed, secret_key_id) values (${userId}, ${partnerId}, ${clientId}, 'x', 'k')`.execute(
        tx,
      );
    });
    await held.promise;
    const removing = service.call('DELETE', `${path}/users/${userId}`, { as: 'owner' });
    await until('the removal waits for the user', async () => (await countLockWaits(service.database)) > 0);
    goOn.resolve(undefined);
    await writing;
    assert.equal((await removing).status, 204);
  });
});
