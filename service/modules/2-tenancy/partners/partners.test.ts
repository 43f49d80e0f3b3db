import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from './index.ts';

let service: TestService;
let trialPlanId: string;
before(async () => {
  service = await startTestService({ modules: (platform) => [partners(platform), invitations(platform)] });
  trialPlanId = (
    await service.db.asSystem('seed', (tx) => tx.selectFrom('plan').select('id').where('name', '=', 'Trial').executeTakeFirstOrThrow())
  ).id;
});
after(() => service.close());

const onlyStaff = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
const onlyAgency = { staff: 'role_forbidden', clientUser: 'role_forbidden' };
const create = (body: object) =>
  service.call('POST', '/partners', {
    as: 'staff',
    body: {
      name: 'North Star',
      slug: 'north-star',
      ownerEmail: 'own@north.test',
      ownerName: 'Nora',
      planId: service.world.planId,
      ...body,
    },
  });

describe('creating a partner', () => {
  it('creates workspace, terms, quota and an owner link that creates an admin', async () => {
    const { status, body } = await create({ timezone: 'Europe/Berlin' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.partner.slug, body.partner.status, body.partner.timezone, body.partner.trialEndsAt],
      ['north-star', 'active', 'Europe/Berlin', null],
    );
    assert.deepEqual([body.invitation.kind, body.invitation.partnerRole], ['owner', 'admin']);
    assert.deepEqual(body.partner.counts, { clients: 0, agents: 0, seatsUsed: 1 });
    const token = String(body.invitation.acceptUrl).split('/').at(-1);
    assert.equal((await service.call('POST', '/invitations/accept', { body: { token, password: 'eleven brown otters' } })).status, 201);
    const session = await service.login('own@north.test', 'eleven brown otters');
    assert.deepEqual(
      [session.body.user.partnerRole, session.body.user.fullName, session.body.user.partnerId],
      ['admin', 'Nora', body.partner.id],
    );
    const quota = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('partnerQuota').selectAll().where('partnerId', '=', body.partner.id).executeTakeFirstOrThrow(),
    );
    assert.equal(quota.monthlyCredits, 10_000);
  });

  it('starts a trial on a trial plan', async () => {
    const { body } = await create({ slug: 'trialling', ownerEmail: 'own@trial.test', planId: trialPlanId, trialDays: 20 });
    assert.ok(Math.abs(Date.parse(body.partner.trialEndsAt) - Date.now() - 20 * 86_400_000) < 60_000);
    const terms = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('subscription').select('status').where('partnerId', '=', body.partner.id).executeTakeFirstOrThrow(),
    );
    assert.equal(terms.status, 'trialing');
  });

  it('creates nothing when any part is refused', async () => {
    const slugTaken = await create({ slug: 'acme', ownerEmail: 'x@x.test' });
    assert.deepEqual([slugTaken.status, slugTaken.body.code], [409, 'already_exists']);
    const addressTaken = await create({ slug: 'left-behind', ownerEmail: 'owner@portal.test' });
    assert.deepEqual([addressTaken.status, addressTaken.body.code], [409, 'email_in_use']);
    assert.equal((await create({ slug: 'left-behind', ownerEmail: 'y@y.test', planId: service.world.partnerId })).status, 404);
    const listed = await service.call('GET', '/partners?q=left-behind', { as: 'staff' });
    assert.deepEqual(listed.body.data, []);
  });

  it('is for staff only, and validates its fields', async () => {
    await service.assertRefused('POST', '/partners', onlyStaff, { name: 'x' });
    const wrong = await create({ slug: 'Bad Slug!', ownerEmail: 'no', name: '' });
    assert.deepEqual([wrong.status, wrong.body.errors.length], [422, 3]);
  });
});

describe('the list of partners for staff', () => {
  it('are paged and filtered, without the house partner', async () => {
    const all = await service.call('GET', '/partners?limit=100', { as: 'staff' });
    assert.ok(all.body.data.length >= 2 && all.body.data.every((row: { id: string }) => row.id !== service.world.housePartnerId));
    const first = await service.call('GET', '/partners?limit=1', { as: 'staff' });
    const second = await service.call('GET', `/partners?limit=1&cursor=${first.body.nextCursor}`, { as: 'staff' });
    assert.notEqual(first.body.data[0].id, second.body.data[0].id);
    const found = await service.call('GET', '/partners?q=acm&automationStatus=unprovisioned&status=active', { as: 'staff' });
    assert.deepEqual(
      found.body.data.map((row: { slug: string }) => row.slug),
      ['acme'],
    );
    assert.deepEqual(
      [found.body.data[0].planName, found.body.data[0].counts.clients, found.body.data[0].counts.seatsUsed],
      ['Growth', 2, 2],
    );
    await service.assertRefused('GET', '/partners', onlyStaff);
    await service.assertRefused('GET', `/partners/${service.world.partnerId}`, onlyStaff);
    assert.equal((await service.call('GET', `/partners/${service.world.housePartnerId}`, { as: 'staff' })).status, 404);
    assert.equal((await service.call('GET', '/partners/not-an-id', { as: 'staff' })).status, 404);
  });

  it('change by staff, under If-Match, with before and after in the audit log', async () => {
    const path = `/partners/${service.world.rivalPartnerId}`;
    const { body: before } = await service.call('GET', path, { as: 'staff' });
    const match = { 'if-match': `"${before.updatedAt}"` };
    const changed = await service.call('PATCH', path, {
      as: 'staff',
      body: { internalNotes: 'Pays late', automationProvider: 'other' },
      headers: match,
    });
    assert.deepEqual([changed.status, changed.body.internalNotes, changed.body.automationProvider], [200, 'Pays late', 'other']);
    assert.equal((await service.call('PATCH', path, { as: 'staff', body: { name: 'Late' }, headers: match })).body.code, 'stale_record');
    assert.equal((await service.call('PATCH', path, { as: 'staff', body: { slug: 'acme' } })).body.code, 'already_exists');
    const unknown = '/partners/019a0000-0000-7000-8000-000000000000';
    assert.equal((await service.call('PATCH', unknown, { as: 'staff', body: { slug: 'acme' } })).status, 404);
    assert.equal((await service.call('PATCH', `/partners/${service.world.planId}`, { as: 'staff', body: { name: 'x' } })).status, 404);
    await service.assertRefused('PATCH', path, onlyStaff, { name: 'x' });
    const entry = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['changes', 'actorType'])
        .where('action', '=', 'partner.changed')
        .where('partnerId', '=', service.world.rivalPartnerId)
        .where('result', '=', 'ok')
        .executeTakeFirstOrThrow(),
    );
    assert.deepEqual(
      [entry.actorType, entry.changes],
      ['staff', { internalNotes: [null, 'Pays late'], automationProvider: [null, 'other'] }],
    );
  });

  it('keep their slug as long as an identity provider knows them by it', async () => {
    const { body: made } = await create({ slug: 'connected', ownerEmail: 'own@connected.test' });
    const rename = async (slug: string) => service.call('PATCH', `/partners/${made.partner.id}`, { as: 'staff', body: { slug } });
    const connect = (status: string) =>
      service.database.query(
        `insert into sso_connection (partner_id, protocol, status, email_domains, issuer, oidc_client_id, client_secret_sealed, secret_key_id)
          values ($1, 'oidc', $2, '{connected.test}', 'https://id.connected.test', 'portal', 'x', 'k') on conflict (partner_id) do update set status = excluded.status`,
        [made.partner.id, status],
      );
    await connect('draft');
    assert.deepEqual([(await rename('renamed')).status, (await rename('connected')).status], [200, 200]);
    await connect('verified');
    assert.deepEqual([(await rename('renamed')).body.code, (await rename('connected')).status], ['invalid_state', 200]);
    assert.equal((await service.call('PATCH', `/partners/${made.partner.id}`, { as: 'staff', body: { name: 'Renamed' } })).status, 200);
    await service.database.query('delete from sso_connection where partner_id = $1', [made.partner.id]);
    assert.equal((await rename('renamed')).body.slug, 'renamed');
  });

  it('are suspended once: users may sign in, all else is refused, and the event is published', async () => {
    const { body } = await create({ slug: 'to-suspend', ownerEmail: 'own@suspend.test' });
    const token = String(body.invitation.acceptUrl).split('/').at(-1);
    await service.call('POST', '/invitations/accept', { body: { token, password: 'eleven brown otters' } });
    const session = await service.login('own@suspend.test', 'eleven brown otters');
    const headers = { authorization: `Bearer ${session.body.accessToken}` };
    assert.equal((await service.call('GET', '/partners/me', { headers })).status, 200);
    const path = `/partners/${body.partner.id}/suspend`;
    await service.assertRefused('POST', path, onlyStaff, { reason: 'x' });
    const suspended = await service.call('POST', path, { as: 'staff', body: { reason: 'Unpaid since June' } });
    assert.deepEqual([suspended.status, suspended.body.status, suspended.body.suspensionReason], [200, 'suspended', 'Unpaid since June']);
    assert.equal((await service.call('POST', path, { as: 'staff', body: { reason: 'again' } })).body.code, 'invalid_state');
    assert.equal((await service.call('POST', path, { as: 'staff', body: {} })).status, 422);
    assert.deepEqual((await service.call('GET', '/partners/me', { headers })).body.code, 'account_suspended');
    assert.equal((await service.login('own@suspend.test', 'eleven brown otters')).status, 200);
    const events = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('event').select('data').where('type', '=', 'account.suspended').where('partnerId', '=', body.partner.id).execute(),
    );
    assert.equal(events.length, 1);
    assert.equal(
      (await service.call('POST', `/partners/${service.world.housePartnerId}/suspend`, { as: 'staff', body: { reason: 'x' } })).status,
      404,
    );
  });
});

describe('the own partner record', () => {
  it('is read by its team without staff fields, and changed by its admins', async () => {
    const seen = await service.call('GET', '/partners/me', { as: 'moderator' });
    assert.deepEqual([seen.status, seen.body.id, 'internalNotes' in seen.body], [200, service.world.partnerId, false]);
    const change = { brandColor: '#1f4e8c', timezone: 'America/Chicago' };
    const foreign = await service.call('PATCH', '/partners/me', { as: 'owner', body: { ...change, slug: 'stolen', internalNotes: 'x' } });
    assert.deepEqual([foreign.status, foreign.body.errors.map((one: { field: string }) => one.field)], [422, ['slug', 'internalNotes']]);
    const changed = await service.call('PATCH', '/partners/me', { as: 'owner', body: change });
    assert.deepEqual([changed.status, changed.body.brandColor, changed.body.slug], [200, '#1f4e8c', 'acme']);
    await service.assertRefused('GET', '/partners/me', onlyAgency);
    await service.assertRefused('PATCH', '/partners/me', { ...onlyAgency, moderator: 'partner_role_forbidden' }, { name: 'x' });
    assert.equal(
      (await service.call('PATCH', '/partners/me', { as: 'owner', body: { brandColor: 'red', timezone: 'Moon' } })).body.errors.length,
      2,
    );
    assert.equal(
      (
        await service.call('PATCH', '/partners/me', {
          as: 'owner',
          body: { name: 'x' },
          headers: { 'if-match': '"2020-01-01T00:00:00.000Z"' },
        })
      ).body.code,
      'stale_record',
    );
  });
});
