import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';

/** Creating, deciding and reading requests. Nothing is installed here: jobs stay queued. */

let service: ProvisioningService;
let clientId: string;
let otherClientId: string;
let partnerId: string;

before(async () => {
  service = await startProvisioningService();
  ({ clientId, otherClientId, partnerId } = service.world);
});
after(() => service.close());
beforeEach(() => service.forget());

const TEXT_BACK = 'missed-call-text-back';
const KEYLESS = 'lead-intake-cleaner';
const post = (path: string, as: Person, body?: object, headers?: Record<string, string>) =>
  service.call('POST', path, { as, ...(body ? { body } : {}), ...(headers ? { headers } : {}) });
const create = (as: Person, body: object, headers?: Record<string, string>) => post('/agent-requests', as, body, headers);
const ask = async (body: object = {}): Promise<string> => (await create('owner', { clientId, templateName: TEXT_BACK, ...body })).body.id;
const suggest = async (body: object = { templateName: TEXT_BACK }): Promise<string> => (await create('clientUser', body)).body.id;
const act = (id: string, verb: string, as: Person, body?: object) => post(`/agent-requests/${id}/${verb}`, as, body);
const read = async (id: string, as: Person = 'owner') => (await service.call('GET', `/agent-requests/${id}`, { as })).body;
const events = () =>
  service.db.asSystem('seed', (tx) => tx.selectFrom('event').select(['type', 'data', 'clientId']).orderBy('id', 'desc').execute());
const audits = (target: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('auditEntry').select(['action', 'actorType', 'actorId']).where('targetId', '=', target).orderBy('id').execute(),
  );
const staffOnly = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
const adminsOnly = { staff: 'role_forbidden', moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' };

describe('a request for an agent', () => {
  it('is submitted to staff, with its timeline entry, audit entry and event', async () => {
    const { status, body } = await create('owner', { clientId, templateName: TEXT_BACK, description: 'They miss calls at lunch.' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.status, body.kind, body.origin, body.title, body.clientName, body.missingConnections, body.requestedByName],
      ['submitted', 'template', 'partner', 'Missed-call text-back', 'Oak Street Dental', ['twilio'], 'Owner Tester'],
    );
    const [entry] = body.timeline;
    assert.deepEqual(
      [body.timeline.length, entry.from, entry.to, entry.actor, entry.note],
      [1, null, 'submitted', { type: 'user', id: service.world.people.owner.userId, name: 'Owner Tester' }, null],
    );
    assert.match(entry.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [event] = await events();
    assert.equal(event?.type, 'agent_request.submitted');
    assert.deepEqual(event?.data, {
      partnerId,
      partnerName: 'Acme Agency',
      actor: { type: 'user', id: service.world.people.owner.userId, email: 'owner@portal.test' },
      portalUrl: `http://portal.test/dashboard/requests?request=${body.id}`,
      agentRequest: {
        id: body.id,
        kind: 'template',
        templateName: TEXT_BACK,
        title: 'Missed-call text-back',
        status: 'submitted',
        createdAt: body.createdAt,
      },
      client: { id: clientId, name: 'Oak Street Dental', externalRef: null },
    });
    assert.deepEqual(await audits(body.id), [
      { action: 'agent_request.created', actorType: 'user', actorId: service.world.people.owner.userId },
    ]);
  });

  it('covers many clients at once: all of them, in their order, or none', async () => {
    const { status, body } = await create('owner', { clientIds: [otherClientId, clientId], templateName: KEYLESS });
    assert.deepEqual([status, body.map((one: { clientId: string }) => one.clientId)], [201, [otherClientId, clientId]]);
    const third = await service.db.asSystem('seed', (tx) =>
      tx.insertInto('client').values({ partnerId, name: 'Third' }).returning('id').executeTakeFirstOrThrow(),
    );
    const again = await create('owner', { clientIds: [third.id, clientId], templateName: KEYLESS });
    assert.deepEqual([again.status, again.body.code, again.body.clients], [409, 'already_pending', ['Oak Street Dental']]);
    const foreign = await create('owner', { clientIds: [third.id, service.world.rivalClientId], templateName: KEYLESS });
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
    const list = await service.call('GET', `/agent-requests?clientId=${third.id}`, { as: 'owner' });
    assert.deepEqual([list.status, list.body.data], [200, []]);
  });

  it('without a template is a custom request', async () => {
    const { body } = await create('owner', { clientId, title: 'Count the reviews of our rivals', description: 'Weekly.' });
    assert.deepEqual([body.kind, body.templateName, body.missingConnections, body.status], ['custom', null, [], 'submitted']);
    assert.equal((await create('owner', { clientId, title: 'Count the reviews of our rivals' })).status, 201, 'wishes are not counted');
  });

  it('is unique per client and template while it is open, also for many at once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => create('owner', { clientId, templateName: TEXT_BACK })));
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409],
    );
    assert.equal(replies.find((reply) => reply.status === 409)?.body.code, 'already_pending');
    const first = replies.find((reply) => reply.status === 201)?.body.id;
    assert.equal((await create('clientUser', { templateName: TEXT_BACK })).body.code, 'already_pending');
    await act(first, 'cancel', 'owner');
    assert.equal((await create('owner', { clientId, templateName: TEXT_BACK })).status, 201, 'a done one makes room');
  });

  it('is refused for an agent that is already installed', async () => {
    await service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName: TEXT_BACK }));
    const { status, body } = await create('owner', { clientId, templateName: TEXT_BACK });
    assert.deepEqual([status, body.code, body.clients], [409, 'already_exists', ['Oak Street Dental']]);
    assert.equal((await create('owner', { clientId: otherClientId, templateName: TEXT_BACK })).status, 201);
  });

  it('returns the first request for the same Idempotency-Key, also concurrently, per user', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { clientId, title: 'A wish' };
    const [one, two] = await Promise.all([create('owner', body, headers), create('owner', body, headers)]);
    assert.deepEqual([one.status, two.status, one.body.id === two.body.id], [201, 201, true]);
    const other = await create('owner', { ...body, title: 'Another wish' }, headers);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    const many = { clientIds: [clientId, otherClientId], title: 'For both' };
    const first = await create('owner', many, { 'idempotency-key': 'both' });
    const second = await create('owner', many, { 'idempotency-key': 'both' });
    const ids = (reply: { body: { id: string }[] }) => reply.body.map((row) => row.id);
    assert.deepEqual(ids(first), ids(second));
    assert.notEqual((await create('clientUser', { title: 'A wish' }, headers)).body.id, one.body.id);
    assert.notEqual((await create('owner', body)).body.id, one.body.id, 'without a key nothing is held back');
    assert.equal((await events()).length >= 4, true);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('firstAnswer')
        .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
        .execute(),
    );
    assert.notEqual((await create('owner', body, headers)).body.id, one.body.id, 'a day later the key is free');
    const long = await create('owner', body, { 'idempotency-key': 'k'.repeat(256) });
    assert.deepEqual([long.status, long.body.errors[0].field], [422, 'Idempotency-Key']);
  });

  it('validates its input', async () => {
    const refused = async (body: object) => {
      const reply = await create('owner', body);
      return [reply.status, reply.body.errors?.[0]?.field];
    };
    assert.deepEqual(await refused({ templateName: TEXT_BACK }), [422, 'clientId']);
    assert.deepEqual(await refused({ clientId, clientIds: [clientId], templateName: TEXT_BACK }), [422, 'clientIds']);
    assert.deepEqual(await refused({ clientId }), [422, 'title']);
    assert.deepEqual(await refused({ clientId, templateName: 'no-such-agent' }), [422, 'templateName']);
    assert.deepEqual(await refused({ clientId, title: 'x', config: { a: 1 } }), [422, 'config']);
    assert.deepEqual(await refused({ clientId, templateName: TEXT_BACK, config: { nonsense: 1 } }), [422, 'config.nonsense']);
    assert.deepEqual(await refused({ clientIds: [], templateName: TEXT_BACK }), [422, 'clientIds']);
  });

  it('keeps its settings as they are understood for each client, and refuses what one of them cannot have', async () => {
    const londonId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, 'Baker Plumbing'));
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('client').set({ timezone: 'Europe/London' }).where('id', '=', londonId).execute(),
    );
    const body = { templateName: 'review-request', config: { fromNumber: '(312) 555-0100' } };
    const made = await create('owner', { ...body, clientId });
    assert.deepEqual([made.status, made.body.config], [201, { fromNumber: '+13125550100' }]);
    const refused = await create('owner', { ...body, config: { fromNumber: '07400 123456' }, clientIds: [otherClientId, londonId] });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'config.fromNumber']);
    const london = await create('owner', { templateName: 'review-request', clientId: londonId, config: { fromNumber: '07400 123456' } });
    assert.deepEqual(london.body.config, { fromNumber: '+447400123456' });
    const approved = await act(london.body.id, 'approve', 'staff', { config: { fromNumber: '07400 123457' }, provisionNow: false });
    assert.deepEqual([approved.status, approved.body.config], [200, { fromNumber: '+447400123457' }]);
  });

  it('can be made by admins of an agency and by clients, each for its own', async () => {
    const body = { clientId, templateName: TEXT_BACK };
    await service.assertRefused(
      'POST',
      '/agent-requests',
      { staff: 'role_forbidden', moderator: 'partner_role_forbidden', rivalOwner: 'not_found', otherClientUser: 'not_found' },
      body,
    );
    assert.equal((await create('owner', { ...body, partnerId })).body.code, 'scope_forbidden');
    assert.equal((await create('clientUser', body)).status, 201);
  });
});

describe('a suggestion of a client', () => {
  it('waits for the agency and is published only when it is submitted', async () => {
    const id = await suggest();
    const own = await read(id, 'clientUser');
    assert.deepEqual([own.status, own.origin, own.clientId, own.missingConnections], ['suggested', 'client', clientId, []]);
    assert.ok(!(await events()).some((event) => event.type === 'agent_request.submitted' && JSON.stringify(event.data).includes(id)));
    const { status, body } = await act(id, 'submit', 'owner');
    assert.deepEqual([status, body.status, body.timeline.length], [200, 'submitted', 2]);
    const [event] = await events();
    assert.deepEqual([event?.type, event?.clientId], ['agent_request.submitted', clientId]);
    assert.equal((await act(id, 'submit', 'owner')).body.code, 'invalid_state');
    assert.deepEqual(
      (await audits(id)).map((line) => line.action),
      // The second try is recorded as well: it was refused.
      ['agent_request.created', 'agent_request.submitted', 'agent_request.submitted'],
    );
  });

  it('can be declined with a note that the client reads', async () => {
    const id = await suggest();
    const { body } = await act(id, 'decline', 'owner', { note: 'Let us wait for spring.' });
    assert.deepEqual([body.status, body.decisionNote], ['declined', 'Let us wait for spring.']);
    const own = await read(id, 'clientUser');
    assert.deepEqual([own.decisionNote, own.timeline.at(-1).note], ['Let us wait for spring.', 'Let us wait for spring.']);
    assert.equal((await act(await suggest(), 'decline', 'owner')).status, 200, 'a word is not needed');
    assert.equal((await act(id, 'decline', 'owner')).body.code, 'invalid_state');
    assert.equal((await act(await suggest({ title: 'x' }), 'decline', 'owner', { note: 'x'.repeat(2001) })).status, 422);
  });

  for (const verb of ['submit', 'decline']) {
    it(`is for admins of its agency to ${verb}`, async () => {
      const id = await suggest();
      await service.assertRefused('POST', `/agent-requests/${id}/${verb}`, adminsOnly);
      assert.equal((await act(newId(), verb, 'owner')).status, 404);
      assert.equal((await act(id, verb, 'owner')).status, 200);
    });
  }
});

describe('cancelling', () => {
  it('withdraws a submitted request, and no other', async () => {
    const id = await ask();
    await service.assertRefused('POST', `/agent-requests/${id}/cancel`, adminsOnly);
    assert.equal((await act(id, 'cancel', 'owner')).body.status, 'cancelled');
    const again = await act(id, 'cancel', 'owner');
    assert.deepEqual([again.status, again.body.code], [409, 'invalid_state']);
    assert.equal((await act(await suggest(), 'cancel', 'owner')).body.code, 'invalid_state');
  });
});

describe('the decision of staff', () => {
  it('approves, with a note, with settings, and with the event', async () => {
    const id = await ask({ config: { bookingUrl: 'https://oak.example/book', repeatAfterHours: 4 } });
    await service.assertRefused('POST', `/agent-requests/${id}/approve`, staffOnly, {});
    const { status, body } = await act(id, 'approve', 'staff', {
      note: 'With pleasure.',
      config: { repeatAfterHours: 8 },
      provisionNow: false,
    });
    assert.deepEqual(body.config, { bookingUrl: 'https://oak.example/book', repeatAfterHours: 8 });
    assert.deepEqual([status, body.status, body.decisionNote, body.waiting], [200, 'approved', 'With pleasure.', false]);
    assert.equal(body.reviewedBy, service.world.people.staff.userId);
    const [event] = await events();
    const data = event?.data as { resolution: string; note: string; actor: object };
    assert.deepEqual(
      [event?.type, data.resolution, data.note, data.actor],
      ['agent_request.resolved', 'approved', 'With pleasure.', { type: 'staff', id: service.world.people.staff.userId }],
    );
    assert.equal((await act(id, 'approve', 'staff', {})).body.code, 'invalid_state');
    assert.equal((await act(id, 'cancel', 'owner')).body.code, 'invalid_state', 'what is approved cannot be taken back');
    const wrong = await act(await ask({ clientId: otherClientId }), 'approve', 'staff', { config: { nonsense: true } });
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'config.nonsense']);
    assert.equal((await act(newId(), 'approve', 'staff', {})).status, 404);
  });

  it('rejects with a note that the agency reads and the client does not', async () => {
    const id = await suggest();
    await act(id, 'submit', 'owner');
    await service.assertRefused('POST', `/agent-requests/${id}/reject`, staffOnly, { note: 'No.' });
    const without = await act(id, 'reject', 'staff', {});
    assert.deepEqual([without.status, without.body.errors[0].field], [422, 'note']);
    const { body } = await act(id, 'reject', 'staff', { note: 'Not for dentists.' });
    assert.equal(body.status, 'rejected');
    const seen = await read(id);
    assert.deepEqual(
      [seen.decisionNote, seen.reviewedBy, seen.timeline.at(-1).actor],
      ['Not for dentists.', null, { type: 'staff', id: null, name: null }],
    );
    const own = await read(id, 'clientUser');
    assert.deepEqual([own.status, own.decisionNote, own.timeline.at(-1).note], ['rejected', null, null]);
    const [event] = await events();
    const data = event?.data as { resolution: string; note: string; agentRequest: { status: string } };
    assert.deepEqual([data.resolution, data.note, data.agentRequest.status], ['rejected', 'Not for dentists.', 'rejected']);
    assert.equal((await act(id, 'reject', 'staff', { note: 'again' })).body.code, 'invalid_state');
  });

  it('rejects no failed installation while a setup of the agency could go on with its agent', async () => {
    const id = await ask();
    const agentId = await service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('agentRequest').set({ status: 'provisioning_failed' }).execute();
      const held = { partnerId, provider: 'activepieces', status: 'provisioning', tenancyMode: 'shared' };
      await tx.insertInto('automationInstance').values(held).execute();
      return addWorkflow(tx, { partnerId, clientId, templateName: TEXT_BACK, providerFlowId: null });
    });
    const reject = () => act(id, 'reject', 'staff', { note: 'No.' });
    const refused = await reject();
    assert.deepEqual([refused.status, refused.body.code, (await read(id)).status], [409, 'provision_in_progress', 'provisioning_failed']);
    const agentStatus = async () => (await service.call('GET', `/agents/${agentId}`, { as: 'owner' })).status;
    assert.equal(await agentStatus(), 200);
    await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'failed' }).execute());
    assert.deepEqual([(await reject()).body.status, await agentStatus()], ['rejected', 404]);
  });

  it('rejects what was approved and cannot be built, unless it waits to be installed', async () => {
    const custom = await ask({ templateName: undefined, title: 'A wish that cannot come true' });
    const later = await ask();
    for (const id of [custom, later]) {
      await act(id, 'approve', 'staff', { provisionNow: false });
      const without = await act(id, 'reject', 'staff', {});
      assert.deepEqual([without.status, without.body.errors[0].field], [422, 'note']);
      const { status, body } = await act(id, 'reject', 'staff', { note: 'It needs access that the system has not.' });
      assert.deepEqual([status, body.status], [200, 'rejected']);
      const [event] = await events();
      assert.equal((event?.data as { resolution: string } | undefined)?.resolution, 'rejected');
      assert.equal((await act(id, 'retry', 'staff')).body.code, 'invalid_state');
    }
    // Nothing stands in the way of another request for the same agent.
    const again = await ask();
    await act(again, 'approve', 'staff', { provisionNow: false });
    await service.db.asSystem('seed', (tx) => tx.updateTable('agentRequest').set({ dueAt: new Date() }).where('id', '=', again).execute());
    const waiting = await act(again, 'reject', 'staff', { note: 'Too late.' });
    assert.deepEqual([waiting.status, waiting.body.code], [409, 'invalid_state']);
    await service.db.asSystem('seed', (tx) => tx.updateTable('agentRequest').set({ dueAt: null }).where('id', '=', again).execute());
    assert.equal((await act(again, 'reject', 'staff', { note: 'In time.' })).status, 200);
  });

  it('fulfils a custom request with the workflow that staff attach', async () => {
    const id = await ask({ templateName: undefined, title: 'A wish' });
    const attach = (workflowId: string, as: Person = 'staff') => act(id, 'fulfill', as, { workflowId });
    const made = (of: { partnerId: string; clientId: string | null }) =>
      service.db.asSystem('seed', (tx) => addWorkflow(tx, { ...of, templateName: `custom-${newId()}`, name: 'Review counter' }));
    const workflowId = await made({ partnerId, clientId });
    await service.assertRefused('POST', `/agent-requests/${id}/fulfill`, staffOnly, { workflowId });
    assert.equal((await attach(workflowId)).body.code, 'invalid_state', 'first it is approved');
    assert.equal((await act(id, 'approve', 'staff', {})).body.waiting, false, 'the pipeline has nothing to install');
    assert.equal((await act(id, 'retry', 'staff')).body.code, 'invalid_state');
    const rival = await made({ partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId });
    assert.equal((await attach(rival)).body.code, 'not_found');
    assert.equal((await attach(await made({ partnerId, clientId: otherClientId }))).body.errors[0].field, 'workflowId');
    assert.equal((await act(id, 'fulfill', 'staff', { workflowId: 'x' })).status, 422);
    const { status, body } = await attach(workflowId);
    assert.deepEqual([status, body.status, body.workflowId], [200, 'fulfilled', workflowId]);
    const [event] = await events();
    const data = event?.data as { agent: object } | undefined;
    assert.deepEqual(data?.agent, { id: workflowId, name: 'Review counter', isActive: true });
    const template = await ask();
    await act(template, 'approve', 'staff', { provisionNow: false });
    assert.equal(
      (await act(template, 'fulfill', 'staff', { workflowId })).body.code,
      'invalid_state',
      'a template is installed, not attached',
    );
  });

  it('lets only staff retry, and only what failed or was approved for later', async () => {
    const id = await ask();
    await service.assertRefused('POST', `/agent-requests/${id}/retry`, staffOnly);
    assert.equal((await act(id, 'retry', 'staff')).body.code, 'invalid_state');
    await act(id, 'approve', 'staff', { provisionNow: false });
    assert.equal((await act(id, 'retry', 'staff')).body.status, 'provisioning');
    assert.equal((await act(id, 'retry', 'staff')).body.code, 'invalid_state');
  });

  // An approved request may still be rejected or cancelled, so an approval is none of them.
  it('lets one of two concurrent decisions succeed', async () => {
    const id = await ask();
    const replies = await Promise.all([
      act(id, 'reject', 'staff', { note: 'No.' }),
      act(id, 'reject', 'staff', { note: 'Not now.' }),
      act(id, 'cancel', 'owner'),
    ]);
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [200, 409, 409],
    );
    assert.equal((await read(id)).timeline.length, 2);
  });
});

describe('a request of an archived client', () => {
  const setStatus = (status: 'active' | 'archived') =>
    service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status }).where('id', '=', clientId).execute());
  afterEach(() => setStatus('active'));

  it('is neither submitted, approved nor installed, and can be declined, cancelled and rejected', async () => {
    const suggested = await suggest();
    const submitted = await ask({ templateName: undefined, title: 'A wish' });
    const other = await ask({ templateName: undefined, title: 'Another wish' });
    const later = await ask({ templateName: KEYLESS });
    await act(later, 'approve', 'staff', { provisionNow: false });
    await setStatus('archived');
    const refused = [
      await act(suggested, 'submit', 'owner'),
      await act(submitted, 'approve', 'staff', {}),
      await act(later, 'retry', 'staff'),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code, body.detail]),
      refused.map(() => [409, 'invalid_state', 'This client is archived: it gets no more agents.']),
    );
    assert.equal((await act(suggested, 'decline', 'owner')).body.status, 'declined');
    assert.equal((await act(other, 'cancel', 'owner')).body.status, 'cancelled');
    assert.equal((await act(submitted, 'reject', 'staff', { note: 'The client is archived.' })).body.status, 'rejected');
  });
});

describe('reading requests', () => {
  it('shows staff all, an agency its clients, a client its own', async () => {
    const mine = await suggest();
    const others = await ask({ clientId: otherClientId });
    const rival = (await create('rivalOwner', { clientId: service.world.rivalClientId, templateName: TEXT_BACK })).body.id;
    const ids = async (as: Person, query = '') =>
      (await service.call('GET', `/agent-requests${query}`, { as })).body.data.map((row: { id: string }) => row.id);
    assert.deepEqual(await ids('staff'), [rival, others, mine]);
    assert.deepEqual(await ids('staff', `?partnerId=${partnerId}`), [others, mine]);
    assert.deepEqual(await ids('moderator'), [others, mine]);
    assert.deepEqual(await ids('clientUser'), [mine]);
    assert.deepEqual(await ids('otherClientUser'), [others]);
    assert.deepEqual(await ids('owner', `?clientId=${clientId}`), [mine]);
    assert.deepEqual(await ids('owner', '?status=submitted'), [others]);
    await act(others, 'cancel', 'owner');
    assert.deepEqual(await ids('owner', '?open=true'), [mine]);
    assert.deepEqual(await ids('owner', '?open=false'), [others]);
    const code = async (as: Person, query: string) => (await service.call('GET', `/agent-requests${query}`, { as })).body.code;
    assert.equal(await code('owner', `?clientId=${service.world.rivalClientId}`), 'not_found');
    assert.equal(await code('clientUser', `?clientId=${otherClientId}`), 'not_found');
    assert.equal(await code('owner', `?partnerId=${partnerId}`), 'scope_forbidden');
    assert.equal(await code('owner', '?status=open'), 'invalid_query');
    await service.assertRefused('GET', `/agent-requests/${mine}`, {
      rivalOwner: 'not_found',
      otherClientUser: 'not_found',
      rivalClientUser: 'not_found',
    });
    await service.assertRefused('GET', '/agent-requests', {});
    assert.equal((await read(mine, 'moderator')).id, mine);
  });

  it('pages without gaps, and a page marker is bound to its filters', async () => {
    for (let n = 0; n < 5; n++) await ask({ templateName: undefined, title: `Wish ${n}` });
    const first = (await service.call('GET', '/agent-requests?limit=3', { as: 'owner' })).body;
    const second = (await service.call('GET', `/agent-requests?limit=3&cursor=${first.nextCursor}`, { as: 'owner' })).body;
    const titles = [...first.data, ...second.data].map((row: { title: string }) => row.title);
    assert.deepEqual([titles, second.nextCursor], [['Wish 4', 'Wish 3', 'Wish 2', 'Wish 1', 'Wish 0'], null]);
    const other = await service.call('GET', `/agent-requests?limit=3&open=true&cursor=${first.nextCursor}`, { as: 'owner' });
    assert.equal(other.body.code, 'invalid_cursor');
  });

  it('costs as many statements for a page as for one row', async () => {
    await ask();
    const list = () => service.call('GET', '/agent-requests', { as: 'owner' });
    const one = await service.countStatements(list);
    await create('owner', { clientIds: [clientId, otherClientId], templateName: KEYLESS });
    assert.equal(await service.countStatements(list), one);
  });
});
