import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';

/** Copies of an agent, requests for many clients, and switching many agents. Nothing is installed here: jobs stay queued. */

let service: ProvisioningService;
let partnerId: string;
let clientId: string;
let otherClientId: string;
let agentId: string;
const TEXT_BACK = 'missed-call-text-back';

before(async () => {
  service = await startProvisioningService();
  ({ partnerId, clientId, otherClientId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  await service.forget();
  agentId = await seed((tx) => addWorkflow(tx, { partnerId, clientId, templateName: TEXT_BACK, name: 'Text back' }));
  await seed((tx) =>
    tx
      .updateTable('workflow')
      .set({
        config: JSON.stringify({ message: 'We missed you: {bookingUrl}', bookingUrl: 'https://oak.example/book', repeatAfterHours: 6 }),
      })
      .where('id', '=', agentId)
      .execute(),
  );
  await seed((tx) =>
    tx
      .updateTable('client')
      .set({ status: 'active', businessProfile: JSON.stringify({ bookingUrl: 'https://elm.example/book' }) })
      .where('id', '=', otherClientId)
      .execute(),
  );
});

type Seed = Parameters<typeof service.db.asSystem>[1];
const seed = <T>(work: (tx: Parameters<Seed>[0]) => Promise<T>): Promise<T> => service.db.asSystem('seed', work);
const post = (path: string, as: Person, body: object, headers?: Record<string, string>) =>
  service.call('POST', path, { as, body, ...(headers ? { headers } : {}) });
const copies = (body: object, as: Person = 'owner', headers?: Record<string, string>) =>
  post(`/agents/${agentId}/copies`, as, body, headers);
const preview = (body: object, as: Person = 'owner') => post(`/agents/${agentId}/copies/preview`, as, body);
const requests = async (client: string) =>
  (await service.call('GET', `/agent-requests?clientId=${client}&limit=100`, { as: 'owner' })).body.data;
const newClient = (name: string): Promise<string> => seed((tx) => addClient(tx, partnerId, name));
const actions = (action: string) =>
  seed((tx) => tx.selectFrom('auditEntry').select(['targetId', 'result']).where('action', '=', action).orderBy('id').execute());

describe('the preview of copies', () => {
  it('says for each client what it lacks, what differs, and that staff install it', async () => {
    const suspended = await newClient('Suspended');
    await seed((tx) => tx.updateTable('client').set({ status: 'suspended' }).where('id', '=', suspended).execute());
    const { status, body } = await preview({ clientIds: [otherClientId, clientId, suspended] });
    assert.equal(status, 200);
    type Target = { clientName: string; state: string; missingConnections: string[]; needsInstallation: boolean; differences: object[] };
    const [other, own, third] = body.targets as Target[];
    assert.deepEqual(
      [other?.clientName, other?.state, other?.missingConnections, other?.needsInstallation],
      ['Elm Road Physio', 'missing', ['twilio'], true],
    );
    assert.deepEqual(other?.differences, [
      { key: 'bookingUrl', label: 'Booking link', from: 'profile', reason: 'of_one_client', value: 'https://elm.example/book' },
    ]);
    assert.deepEqual([own?.state, own?.needsInstallation, third?.state], ['has_agent', false, 'not_allowed']);
    assert.equal((await preview({ clientIds: [otherClientId] }, 'moderator')).status, 200, 'changes nothing');
    assert.equal((await preview({ clientIds: [otherClientId] }, 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await requests(otherClientId)).length, 0);
  });

  it('says which texts the copy has in the language of its client instead of that of the source', async () => {
    const german = await newClient('Zahnarztpraxis Müller');
    await seed((tx) => tx.updateTable('client').set({ locale: 'de' }).where('id', '=', german).execute());
    const [target] = (await preview({ clientIds: [german] })).body.targets;
    assert.deepEqual(
      target.differences.find(({ key }: { key: string }) => key === 'optOutLine'),
      { key: 'optOutLine', label: 'Opt-out line', from: 'default', reason: 'language', value: 'Antworten Sie STOP, um sich abzumelden.' },
    );
    assert.equal((await copies({ clientIds: [german] })).status, 201);
    assert.deepEqual((await requests(german))[0].config, { message: 'We missed you: {bookingUrl}', repeatAfterHours: 6 });
  });

  it('is ready once the key is there', async () => {
    await service.saveKey('twilio');
    const [target] = (await preview({ clientIds: [otherClientId] })).body.targets;
    assert.deepEqual([target.state, target.refusedConnections], ['ready', []]);
  });

  it('names a key that its provider refuses, which keeps no client from a request', async () => {
    await service.saveKey('twilio');
    await seed((tx) => tx.updateTable('credential').set({ lastCheckOk: false }).where('provider', '=', 'twilio').execute());
    const [target] = (await preview({ clientIds: [otherClientId] })).body.targets;
    assert.deepEqual([target.state, target.missingConnections, target.refusedConnections], ['ready', [], ['twilio']]);
    assert.equal(target.needsInstallation, true);
  });
});

describe('a copy of an agent', () => {
  it('is a request to staff with the settings of the source, without those of its business', async () => {
    const { status, body } = await copies({ clientIds: [otherClientId], config: { repeatAfterHours: 12 } });
    assert.equal(status, 201);
    const [result] = body.results;
    assert.deepEqual([result.clientName, result.result], ['Elm Road Physio', 'submitted']);
    const [request] = await requests(otherClientId);
    assert.deepEqual([request.id, request.status, request.templateName], [result.requestId, 'submitted', TEXT_BACK]);
    assert.deepEqual(request.config, { message: 'We missed you: {bookingUrl}', repeatAfterHours: 12 });
    assert.equal(request.description, '');
    assert.deepEqual((await actions('agent.copied')).at(-1), { targetId: agentId, result: 'ok' });
    const events = await seed((tx) => tx.selectFrom('event').select(['type', 'clientId']).orderBy('id', 'desc').limit(1).execute());
    assert.deepEqual(events, [{ type: 'agent_request.submitted', clientId: otherClientId }]);
  });

  it('has the settings given with it as they are understood for each client', async () => {
    const source = await seed((tx) => addWorkflow(tx, { partnerId, clientId, templateName: 'review-request', name: 'Reviews' }));
    const body = { clientIds: [otherClientId], config: { fromNumber: '(312) 555-0100' } };
    assert.equal((await post(`/agents/${source}/copies`, 'owner', body)).body.results[0].result, 'submitted');
    assert.equal((await requests(otherClientId))[0].config.fromNumber, '+13125550100');
    const london = await newClient('Baker Plumbing');
    await seed((tx) => tx.updateTable('client').set({ timezone: 'Europe/London' }).where('id', '=', london).execute());
    const british = { fromNumber: '07400 123456' };
    assert.equal((await post(`/agents/${source}/copies`, 'owner', { clientIds: [london], config: british })).status, 201);
    assert.equal((await requests(london))[0].config.fromNumber, '+447400123456');
    const third = await newClient('Pine Physio');
    const refused = await post(`/agents/${source}/copies/preview`, 'owner', { clientIds: [third], config: british });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'config.fromNumber']);
  });

  it('shows its client nothing of the source; the entry about the source names it', async () => {
    const source = await seed((tx) =>
      addWorkflow(tx, { partnerId, clientId: otherClientId, templateName: 'review-request', name: 'Reviews for the VIP' }),
    );
    assert.equal((await post(`/agents/${source}/copies`, 'owner', { clientIds: [clientId] })).body.results[0].result, 'submitted');
    const { status, body } = await service.call('GET', '/agent-requests', { as: 'clientUser' });
    assert.deepEqual([status, body.data[0].templateName], [200, 'review-request']);
    assert.doesNotMatch(JSON.stringify(body), /VIP|Elm Road/);
    const entry = seed((tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['clientId', 'targetLabel'])
        .where('action', '=', 'agent.copied')
        .where('targetId', '=', source)
        .execute(),
    );
    assert.deepEqual(await entry, [{ clientId: otherClientId, targetLabel: 'Reviews for the VIP' }]);
  });

  it('is refused to moderators, clients, staff, and for agents or clients of others', async () => {
    const body = { clientIds: [otherClientId] };
    assert.equal((await copies(body, 'moderator')).body.code, 'partner_role_forbidden');
    for (const as of ['clientUser', 'staff'] as const) assert.equal((await copies(body, as)).body.code, 'role_forbidden');
    assert.equal((await copies({ clientIds: [service.world.rivalClientId] }, 'rivalOwner')).status, 404, 'an agent of another agency');
    assert.equal((await copies({ clientIds: [otherClientId, service.world.rivalClientId] })).status, 404, 'a client of another agency');
    assert.equal((await preview({ clientIds: [service.world.rivalClientId] })).status, 404);
    assert.equal((await requests(otherClientId)).length, 0, 'none was made beside the foreign one');
  });

  it('is refused once the catalog no longer offers its template', async () => {
    const body = { clientIds: [otherClientId] };
    await seed((tx) => tx.updateTable('workflow').set({ templateName: 'no-longer-offered' }).where('id', '=', agentId).execute());
    for (const refused of [await copies(body), await preview(body)])
      assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
    await seed((tx) => tx.updateTable('workflow').set({ templateName: TEXT_BACK }).where('id', '=', agentId).execute());
    assert.deepEqual([(await preview(body)).status, (await copies(body)).status], [200, 201]);
  });

  it('gives each client its own result, and two calls at once make one request', async () => {
    const third = await newClient('Third');
    const clientIds = [otherClientId, third, clientId];
    const replies = await Promise.all([copies({ clientIds }), copies({ clientIds: clientIds.toReversed() }), copies({ clientIds })]);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [201, 201, 201],
    );
    type Result = { clientId: string; result: string; requestId: string | null };
    const results = replies.flatMap((reply): Result[] => reply.body.results);
    for (const client of [otherClientId, third]) {
      const own = results.filter((one) => one.clientId === client);
      assert.deepEqual(own.map((one) => one.result).toSorted(), ['requested', 'requested', 'submitted']);
      assert.equal(new Set(own.map((one) => one.requestId)).size, 1, 'all name the same request');
      assert.equal((await requests(client)).length, 1);
    }
    assert.deepEqual(new Set(results.filter((one) => one.clientId === clientId).map((one) => one.result)), new Set(['has_agent']));
  });

  it('returns the first results for the same Idempotency-Key, also concurrently', async () => {
    const headers = { 'idempotency-key': 'copy-once' };
    const [one, two] = await Promise.all([1, 2].map(() => copies({ clientIds: [otherClientId, clientId] }, 'owner', headers)));
    assert.deepEqual(one?.body, two?.body);
    assert.equal((await copies({ clientIds: [clientId] }, 'owner', headers)).body.code, 'idempotency_key_reused');
    assert.deepEqual(
      one?.body.results.map((result: { result: string }) => result.result),
      ['submitted', 'has_agent'],
    );
    const request = await post('/agent-requests', 'owner', { clientId, title: 'Another' }, headers);
    assert.equal(request.status, 201, 'another route has keys of its own');
    assert.equal(request.body.title, 'Another');
  });

  it('takes at most a hundred clients and settings the template knows', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    assert.equal((await copies({ clientIds: ids })).status, 422);
    assert.equal((await copies({ clientIds: [] })).status, 422);
    const unknown = await copies({ clientIds: [otherClientId], config: { colour: 'red' } });
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [422, 'config.colour']);
  });
});

describe('a request for many clients', () => {
  it('gives each its own result', async () => {
    const third = await newClient('Third');
    const body = { clientIds: [third, clientId], templateName: TEXT_BACK };
    const first = await post('/agent-requests/bulk', 'owner', body);
    const of = (reply: { body: { results: { result: string }[] } }) => reply.body.results.map((one) => one.result);
    assert.deepEqual([first.status, of(first)], [201, ['submitted', 'has_agent']]);
    assert.deepEqual(of(await post('/agent-requests/bulk', 'owner', body)), ['requested', 'has_agent']);
    assert.equal((await post('/agent-requests/bulk', 'moderator', body)).body.code, 'partner_role_forbidden');
    assert.equal((await post('/agent-requests/bulk', 'owner', { ...body, clientIds: [service.world.rivalClientId] })).status, 404);
    assert.equal((await post('/agent-requests/bulk', 'owner', { ...body, templateName: 'none' })).status, 422);
  });
});

describe('switching many agents', () => {
  it('changes each once, with an audit entry each, and leaves those of others alone', async () => {
    const second = await seed((tx) => addWorkflow(tx, { partnerId, clientId: otherClientId, templateName: TEXT_BACK }));
    const rival = await seed((tx) =>
      addWorkflow(tx, { partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId, templateName: TEXT_BACK }),
    );
    const before = (await actions('agent.switched')).length;
    const switchTo = (isActive: boolean, ids: string[]) => post('/agents/bulk', 'owner', { ids, isActive });
    const replies = await Promise.all([switchTo(false, [agentId, second, rival]), switchTo(false, [rival, second, agentId])]);
    type Result = { id: string; result: string };
    const all = replies.flatMap((reply): Result[] => reply.body.results);
    for (const id of [agentId, second])
      assert.deepEqual(
        all
          .filter((one) => one.id === id)
          .map((one) => one.result)
          .toSorted(),
        ['changed', 'unchanged'],
      );
    assert.deepEqual(new Set(all.filter((one) => one.id === rival).map((one) => one.result)), new Set(['not_found']));
    assert.equal((await actions('agent.switched')).length, before + 2);
    const on = await seed((tx) => tx.selectFrom('workflow').select(['id', 'isActive']).where('isActive', '=', true).execute());
    assert.deepEqual(
      on.map((one) => one.id),
      [rival],
    );
    assert.equal((await post('/agents/bulk', 'moderator', { ids: [agentId], isActive: true })).body.code, 'partner_role_forbidden');
    assert.equal((await post('/agents/bulk', 'clientUser', { ids: [agentId], isActive: true })).body.code, 'role_forbidden');
    assert.equal(
      (
        await switchTo(
          true,
          Array.from({ length: 201 }, () => agentId),
        )
      ).status,
      422,
    );
  });
});
