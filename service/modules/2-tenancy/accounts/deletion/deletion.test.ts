import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Body, startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { accounts } from '../index.ts';

const DAY_MS = 86_400_000;
let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [accounts({ ...platform, deletionDays: 30 }), clients(platform), partners(platform), workQueue(platform)],
  });
});
after(() => service.close());

const seed: TestService['db']['asSystem'] = (_reason, fn) => service.db.asSystem('seed', fn);
let clientId: string;
let name: string;
let count = 0;
beforeEach(async () => {
  name = `Client ${++count}`;
  clientId = await seed('seed', (tx) => addClient(tx, service.world.partnerId, name));
});

const request = (more: object = {}, as: Person = 'owner') =>
  service.call('POST', '/account-deletion', { as, body: { scope: 'client', clientId, reason: 'Closed', confirmName: name, ...more } });
const decide = (id: string, verb: 'approve' | 'reject' | 'cancel', body?: object, as: Person = 'owner') =>
  service.call('POST', `/account-deletion/${id}/${verb}`, { as, ...(body ? { body } : {}) });
const outcome = ({ status, body }: { status: number; body: Body }) => [status, body.code ?? body.status];
const accountOf = (id: string) =>
  seed('seed', (tx) =>
    tx
      .selectFrom('client')
      .select(['status', 'suspensionCause', 'suspensionReason', 'suspendedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
const eventsOf = (id: string) =>
  seed('seed', (tx) => tx.selectFrom('event').select(['type', 'data']).where('clientId', '=', id).orderBy('id').execute());

describe('a deletion request', () => {
  it('names the account exactly, and is recorded with its event and audit entry', async () => {
    const wrong = await request({ confirmName: name.toLowerCase() });
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'confirmName']);
    const made = await request({ confirmName: `  ${name} ` });
    assert.equal(made.status, 201, made.text);
    const { body } = made;
    assert.deepEqual(
      [body.scope, body.accountName, body.status, body.requestedBy.email, body.decidedBy, body.purgeAfter],
      ['client', name, 'pending', 'owner@portal.test', null, null],
    );
    const [event] = await eventsOf(clientId);
    const data = event?.data as Body;
    assert.equal(event?.type, 'deletion_request.submitted');
    assert.deepEqual(data.deletionRequest, { id: body.id, scope: 'client', reason: 'Closed', status: 'pending' });
    assert.deepEqual(data.account, { type: 'client', id: clientId, name });
    const [entry] = await seed('seed', (tx) =>
      tx.selectFrom('auditEntry').select(['action', 'targetLabel', 'clientId']).where('targetId', '=', body.id).execute(),
    );
    assert.deepEqual(entry, { action: 'deletion_request.submitted', targetLabel: name, clientId });
    assert.equal((await accountOf(clientId)).status, 'active');
  });

  it('names the account it is about: a client needs its id, the agency takes none', async () => {
    const field = async (body: object) => (await request(body)).body.errors[0].field;
    assert.equal(await field({ clientId: undefined }), 'clientId');
    assert.equal(await field({ scope: 'partner' }), 'clientId');
    assert.equal((await request({ clientId: service.world.rivalClientId })).status, 404);
  });

  it('is one at a time: of two at the same moment one is refused, and again after an approval', async () => {
    const both = await Promise.all([request(), request()]);
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    );
    const made = both.find(({ status }) => status === 201);
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'already_pending');
    await decide(made?.body.id, 'approve', {});
    assert.equal((await request()).body.code, 'already_pending');
    const again = await seed('seed', (tx) => addClient(tx, service.world.partnerId, 'Another'));
    assert.equal((await request({ clientId: again, confirmName: 'Another' })).status, 201, 'another client');
  });

  it('is made by a client for itself only', async () => {
    const own = { clientId: undefined, confirmName: 'Oak Street Dental' };
    assert.equal((await request({ ...own, scope: 'partner' }, 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await request({ ...own, clientId: service.world.otherClientId }, 'clientUser')).body.code, 'not_found');
    const made = await request(own, 'clientUser');
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.clientId, service.world.clientId);
    const seen = async (as: Person) => (await service.call('GET', `/account-deletion/${made.body.id}`, { as })).status;
    assert.deepEqual(await Promise.all((['clientUser', 'owner', 'moderator', 'staff'] as const).map(seen)), [200, 200, 200, 200]);
    assert.deepEqual(await Promise.all((['otherClientUser', 'rivalOwner', 'rivalClientUser'] as const).map(seen)), [404, 404, 404]);
    assert.deepEqual(outcome(await decide(made.body.id, 'cancel', undefined, 'owner')), [403, 'role_forbidden'], 'the other side');
    assert.deepEqual(outcome(await decide(made.body.id, 'cancel', undefined, 'otherClientUser')), [404, 'not_found']);
    assert.deepEqual(outcome(await decide(made.body.id, 'cancel', undefined, 'clientUser')), [200, 'cancelled']);
    assert.deepEqual(outcome(await decide(made.body.id, 'cancel', undefined, 'clientUser')), [409, 'invalid_state']);
  });

  it('refuses moderators, staff and callers of other tenants', async () => {
    const { body } = await request();
    const body1 = { scope: 'client', clientId, reason: 'x', confirmName: name };
    await service.assertRefused('POST', '/account-deletion', { moderator: 'partner_role_forbidden', staff: 'role_forbidden' }, body1);
    const closed = { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' } as const;
    await service.assertRefused('POST', `/account-deletion/${body.id}/approve`, closed, {});
    await service.assertRefused('POST', `/account-deletion/${body.id}/reject`, closed, { note: 'x' });
    await service.assertRefused('POST', `/account-deletion/${body.id}/cancel`, {
      moderator: 'partner_role_forbidden',
      staff: 'role_forbidden',
      rivalOwner: 'not_found',
    });
    assert.deepEqual(outcome(await decide(body.id, 'approve', {})), [200, 'approved']);
  });

  it('is listed in scope, newest first, by scope, client and status', async () => {
    const { body } = await request();
    const list = async (query: string, as: Person = 'owner') => {
      const reply = await service.call('GET', `/account-deletion?${query}`, { as });
      return reply.status === 200 ? reply.body.data.map(({ id }: { id: string }) => id) : reply.body.code;
    };
    assert.deepEqual(await list(`clientId=${clientId}`), [body.id]);
    assert.deepEqual(await list(`clientId=${clientId}&status=approved`), []);
    assert.deepEqual(await list(`clientId=${clientId}&scope=partner`), []);
    assert.deepEqual(await list(`clientId=${clientId}`, 'staff'), [body.id]);
    assert.deepEqual(await list('limit=1&scope=client', 'moderator'), [body.id]);
    assert.equal(await list(`clientId=${clientId}`, 'rivalOwner'), 'not_found');
    assert.equal(await list(`clientId=${clientId}`, 'clientUser'), 'not_found');
    assert.equal(await list(`partnerId=${service.world.partnerId}`), 'scope_forbidden');
    assert.ok(!(await list('', 'clientUser')).includes(body.id));
  });
});

describe('an approval', () => {
  it('suspends the account at once, says until when it can be undone, and publishes both events', async () => {
    const { body } = await request();
    const before = Date.now();
    const approved = await decide(body.id, 'approve', { note: 'As agreed' });
    assert.equal(approved.status, 200, approved.text);
    const purgeAfter = Date.parse(approved.body.purgeAfter);
    assert.ok(Math.abs(purgeAfter - before - 30 * DAY_MS) < 60_000);
    assert.deepEqual([approved.body.decisionNote, approved.body.decidedBy.email], ['As agreed', 'owner@portal.test']);
    const account = await accountOf(clientId);
    assert.deepEqual([account.status, account.suspensionCause, account.suspensionReason], ['suspended', 'deletion_approved', 'Closed']);
    const [, resolved, suspended] = await eventsOf(clientId);
    const [one, two] = [resolved?.data as Body, suspended?.data as Body];
    assert.deepEqual(
      [resolved?.type, one.resolution, one.note, one.purgeAfter],
      ['deletion_request.resolved', 'approved', 'As agreed', approved.body.purgeAfter],
    );
    assert.deepEqual(
      [suspended?.type, two.reason, two.deletionRequestId, two.reactivation],
      ['account.suspended', 'deletion_approved', body.id, { allowed: true, until: approved.body.purgeAfter }],
    );
  });

  it('takes over from another suspension, also of an archived client', async () => {
    await service.call('POST', `/clients/${clientId}/suspend`, { as: 'owner', body: { reason: 'Unpaid' } });
    const { body } = await request();
    await decide(body.id, 'approve', {});
    assert.equal((await accountOf(clientId)).suspensionCause, 'deletion_approved');
    const archived = await seed('seed', (tx) => addClient(tx, service.world.partnerId, 'Old'));
    await service.call('POST', `/clients/${archived}/archive`, { as: 'owner' });
    const other = await request({ clientId: archived, confirmName: 'Old' });
    assert.deepEqual(outcome(await decide(other.body.id, 'approve', {})), [200, 'approved']);
    assert.equal((await accountOf(archived)).status, 'suspended');
  });

  it('is one of two at the same moment, whether both approve or one withdraws', async () => {
    const first = (await request()).body.id;
    const twice = await Promise.all([decide(first, 'approve', {}), decide(first, 'approve', {}, 'staff')]);
    assert.deepEqual(
      twice.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.equal((await eventsOf(clientId)).filter(({ type }) => type === 'account.suspended').length, 1);
    const other = await seed('seed', (tx) => addClient(tx, service.world.partnerId, 'Raced'));
    const second = (await request({ clientId: other, confirmName: 'Raced' })).body.id;
    const raced = await Promise.all([decide(second, 'approve', {}), decide(second, 'cancel')]);
    assert.deepEqual(
      raced.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    const won = raced.find(({ status }) => status === 200)?.body.status;
    assert.equal((await accountOf(other)).status, won === 'approved' ? 'suspended' : 'active');
  });

  it('leaves no way back by hand: resume and archive name the reactivation', async () => {
    const { body } = await request();
    await decide(body.id, 'approve', {});
    for (const verb of ['resume', 'archive']) {
      const refused = await service.call('POST', `/clients/${clientId}/${verb}`, { as: 'owner' });
      assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
      assert.match(refused.body.detail, /reactivation/);
    }
    assert.deepEqual(outcome(await decide(body.id, 'cancel')), [409, 'invalid_state']);
  });

  it('of a rejection leaves everything as it is and gives the note', async () => {
    const { body } = await request();
    assert.equal((await decide(body.id, 'reject', {})).status, 422);
    const rejected = await decide(body.id, 'reject', { note: 'Talk to us first' });
    assert.deepEqual([rejected.body.status, rejected.body.decisionNote, rejected.body.purgeAfter], ['rejected', 'Talk to us first', null]);
    assert.equal((await accountOf(clientId)).status, 'active');
    const [, resolved] = await eventsOf(clientId);
    const data = resolved?.data as Body;
    assert.deepEqual([data.resolution, data.note], ['rejected', 'Talk to us first']);
    assert.equal((await request()).status, 201, 'it can be requested again');
  });
});

describe('the deletion of an agency', () => {
  const own = { scope: 'partner', clientId: undefined, confirmName: 'Rival Agency' };
  it('is decided by staff only, who find it in the work queue', async () => {
    const { body } = await request(own, 'rivalOwner');
    assert.equal(body.scope, 'partner');
    assert.deepEqual(outcome(await decide(body.id, 'approve', {}, 'rivalOwner')), [403, 'role_forbidden']);
    assert.deepEqual(outcome(await decide(body.id, 'reject', { note: 'x' }, 'rivalOwner')), [403, 'role_forbidden']);
    const queue = async () =>
      (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body.filter(
        ({ kind }: { kind: string }) => kind === 'deletion_request',
      );
    const [item, ...rest] = await queue();
    assert.deepEqual([item.itemId, item.title, item.detail, rest], [body.id, 'Deletion of Rival Agency', 'Closed', []]);
    const owned = await service.call('POST', '/provisioning/queue/assign', {
      as: 'staff',
      body: { kind: 'deletion_request', itemId: body.id, assigned: true },
    });
    assert.equal(owned.body.ownerName, 'Staff Tester');
    const approved = await decide(body.id, 'approve', {}, 'staff');
    assert.equal(approved.body.status, 'approved');
    assert.deepEqual(await queue(), []);
    const { rivalPartnerId: id } = service.world;
    const { body: partner } = await service.call('GET', `/partners/${id}`, { as: 'staff' });
    assert.deepEqual([partner.status, partner.suspensionReason], ['suspended', 'Closed']);
    const refused = await service.call('POST', `/partners/${id}/resume`, { as: 'staff' });
    assert.deepEqual([refused.status, /reactivation/.test(refused.body.detail)], [409, true]);
    const seen = await service.call('GET', '/account-deletion', { as: 'rivalOwner' });
    assert.equal(seen.body.code, 'account_suspended');
    await seed('seed', async (tx) => {
      await tx.updateTable('deletionRequest').set({ status: 'cancelled' }).where('id', '=', body.id).execute();
      await tx
        .updateTable('partner')
        .set({ status: 'active', suspendedAt: null, suspensionReason: null, suspensionCause: null })
        .where('id', '=', id)
        .execute();
    });
    const record = await service.call('GET', `/account-deletion/${body.id}`, { as: 'rivalOwner' });
    assert.deepEqual(record.body.decidedBy, { id: null, name: 'Platform staff', email: null });
  });
});

describe('the preview of a deletion', () => {
  it('counts no agent as running that has stopped already', async () => {
    await seed('seed', (tx) => addWorkflow(tx, { partnerId: service.world.partnerId, clientId, templateName: 'missed-call-text-back' }));
    const running = async (query: string): Promise<number[]> => {
      const { body } = await service.call('GET', `/account-deletion/preview?${query}`, { as: 'owner' });
      return [body.runningAgents, body.runningClients];
    };
    const [agents = 0, clients = 0] = await running('scope=partner');
    assert.deepEqual(await running(`scope=client&clientId=${clientId}`), [1, 1]);
    await service.call('POST', `/clients/${clientId}/archive`, { as: 'owner' });
    assert.deepEqual(await running(`scope=client&clientId=${clientId}`), [0, 0]);
    assert.deepEqual(await running('scope=partner'), [agents - 1, clients - 1]);
  });

  it('counts what stops and what is removed', async () => {
    await seed('seed', async (tx) => {
      const agent = { partnerId: service.world.partnerId, clientId };
      await addWorkflow(tx, { ...agent, templateName: 'missed-call-text-back' });
      await addWorkflow(tx, { ...agent, templateName: 'review-request', isActive: false });
      await addWorkflow(tx, { ...agent, templateName: 'web-lead-reply', providerFlowId: null });
    });
    const { status, body } = await service.call('GET', `/account-deletion/preview?scope=client&clientId=${clientId}`, { as: 'owner' });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.accountName, body.clients, body.runningAgents, body.runningClients, body.agents, body.users, body.webhooks, body.files],
      [name, 1, 1, 1, 3, 0, 0, 0],
    );
    const whole = await service.call('GET', '/account-deletion/preview?scope=partner', { as: 'moderator' });
    assert.deepEqual([whole.body.accountName, whole.body.users >= 4, whole.body.agents >= 3], ['Acme Agency', true, true]);
    const staff = await service.call('GET', `/account-deletion/preview?scope=partner&partnerId=${service.world.partnerId}`, {
      as: 'staff',
    });
    assert.equal(staff.body.clients, whole.body.clients);
  });

  it('answers for accounts in scope only', async () => {
    const ask = async (query: string, as: Person) => (await service.call('GET', `/account-deletion/preview?${query}`, { as })).body.code;
    assert.equal(await ask(`scope=client&clientId=${clientId}`, 'rivalOwner'), 'not_found');
    assert.equal(await ask(`scope=client&clientId=${clientId}`, 'clientUser'), 'not_found');
    assert.equal(await ask('scope=partner', 'clientUser'), 'not_found');
    assert.equal(await ask('scope=client', 'clientUser'), undefined);
    assert.equal(await ask('scope=partner', 'staff'), 'invalid_query');
    assert.equal(await ask(`scope=partner&partnerId=${service.world.housePartnerId}`, 'staff'), 'not_found');
  });
});
