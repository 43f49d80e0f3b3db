import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newestWidget } from '@partner-portal/core/conversation/widget-versions.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { chatbot, type Chatbot } from '../index.ts';

let service: TestService;
let bots: Chatbot;
let now = Date.now();
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      bots = chatbot({ ...platform, clock: { now: () => new Date(now) }, publicBaseUrl: platform.baseUrl });
      return [bots];
    },
  });
});
after(() => service.close());

const PATH = '/chatbot/settings';
const change = (body: object, as: 'owner' | 'staff' | 'moderator' | 'rivalOwner' = 'owner', headers = {}) =>
  service.call('PATCH', PATH, { as, body: { clientId: service.world.clientId, ...body }, headers });
const read = (as: 'owner' | 'staff' | 'moderator' | 'rivalOwner' = 'owner', clientId = service.world.clientId) =>
  service.call('GET', `${PATH}?clientId=${clientId}`, { as });
const seed = <T>(work: Parameters<typeof service.db.asSystem<T>>[1]) => service.db.asSystem('seed', work);

describe('settings of a chatbot', () => {
  it('are defaults without id and script tag until they are saved', async () => {
    const { status, body } = await read();
    assert.equal(status, 200);
    assert.deepEqual([body.id, body.snippet, body.updatedAt, body.isActive, body.provider], [null, null, null, false, 'openai']);
    assert.match(body.greeting, /Oak Street Dental/);
    const rows = await seed((tx) => tx.selectFrom('chatbot').selectAll().execute());
    assert.equal(rows.length, 0);
  });

  it('are created once by first changes that are sent at once', async () => {
    const clientId = await seed((tx) => addClient(tx, service.world.partnerId, 'Two At Once'));
    const replies = await Promise.all([change({ clientId, name: 'First' }), change({ clientId, greeting: 'Hi there' })]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    const { body } = await read('owner', clientId);
    assert.deepEqual([body.name, body.greeting], ['First', 'Hi there']);
    const { path, integrity } = newestWidget();
    const pinned = `src="http://portal.test${path}" integrity="${integrity}" crossorigin="anonymous"`;
    assert.equal(body.snippet, `<script async ${pinned} data-chatbot="${body.id}"></script>`);
  });

  it('can be changed by the agency’s admin and staff, and by no one else', async () => {
    assert.equal((await change({ name: 'Desk' })).status, 200);
    assert.equal((await change({ persona: 'Friendly.' }, 'staff')).body.persona, 'Friendly.');
    await service.assertRefused(
      'PATCH',
      PATH,
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found', rivalClientUser: 'role_forbidden' },
      { clientId: service.world.clientId, name: 'Taken over' },
    );
    assert.equal((await read()).body.name, 'Desk');
  });

  it('can be read by a moderator, and by users of the client without naming it', async () => {
    assert.equal((await read('moderator')).body.name, 'Desk');
    const own = await service.call('GET', PATH, { as: 'clientUser' });
    assert.deepEqual([own.status, own.body.clientId], [200, service.world.clientId]);
    const other = await service.call('GET', `${PATH}?clientId=${service.world.otherClientId}`, { as: 'clientUser' });
    const foreign = await read('rivalOwner');
    const unnamed = await service.call('GET', PATH, { as: 'owner' });
    assert.deepEqual(
      [other.body.code, foreign.body.code, unnamed.body.code, 'errors' in unnamed.body],
      ['not_found', 'not_found', 'invalid_query', false],
    );
    assert.match(unnamed.body.detail, /clientId/);
  });

  it('accept as routes installed agents of the client or its whole agency, each intent once', async () => {
    const { partnerId, clientId, otherClientId, rivalPartnerId } = service.world;
    const agent = (owner: string | null, providerFlowId?: null) =>
      seed((tx) =>
        addWorkflow(tx, {
          partnerId,
          clientId: owner,
          templateName: 'lead-qualifier',
          name: 'Qualifier',
          ...(providerFlowId === null ? { providerFlowId } : {}),
        }),
      );
    const own = await agent(clientId);
    const shared = await agent(null);
    const others = await agent(otherClientId);
    const rival = await seed((tx) => addWorkflow(tx, { partnerId: rivalPartnerId, clientId: null, templateName: 'lead-qualifier' }));
    const absent = await seed((tx) => addWorkflow(tx, { partnerId, clientId, templateName: 'review-request', providerFlowId: null }));
    for (const [bad, why] of [
      [others, 'of another client'],
      [rival, 'of another agency'],
      [absent, 'not installed'],
    ] as const) {
      const refused = await change({
        agentRoutes: [
          { intent: 'book', workflowId: own },
          { intent: 'ask', workflowId: bad },
        ],
      });
      assert.deepEqual([refused.status, refused.body.errors?.[0].field], [422, 'agentRoutes.1.workflowId'], why);
    }
    const twice = await change({
      agentRoutes: [
        { intent: 'Book  it', workflowId: own },
        { intent: 'book it', workflowId: shared },
      ],
    });
    assert.deepEqual([twice.status, twice.body.errors[0].code], [422, 'duplicate']);
    const agentRoutes = [
      { intent: 'book a visit', workflowId: own },
      { intent: 'leave a message', workflowId: shared },
    ];
    assert.deepEqual((await change({ agentRoutes })).body.agentRoutes, agentRoutes);
    // A deleted agent takes its route along; the rest can still be saved.
    await seed((tx) => tx.deleteFrom('workflow').where('id', '=', own).execute());
    assert.deepEqual((await change({ name: 'Still saved' })).body.agentRoutes, [agentRoutes[1]]);
  });

  it('keep websites as browsers send them, and a model of the chosen provider', async () => {
    const { body } = await change({ allowedOrigins: ['https://WWW.Oak.example:443', 'https://www.oak.example', 'http://localhost:8080'] });
    assert.deepEqual(body.allowedOrigins, ['https://www.oak.example', 'http://localhost:8080']);
    for (const refused of ['https://oak.example/path', 'https://oak.example:80800', 'https://1.2.3.999'])
      assert.equal((await change({ allowedOrigins: [refused] })).status, 422, refused);
    assert.equal((await change({ provider: 'anthropic' })).body.model, 'claude-haiku-4-5');
    assert.equal((await change({ provider: 'openai', model: 'my-own-model' })).body.model, 'my-own-model');
  });

  it('are refused when they were changed since they were read', async () => {
    const { updatedAt } = (await read()).body;
    assert.equal((await change({ name: 'One' }, 'owner', { 'if-match': `"${updatedAt}"` })).status, 200);
    const stale = await change({ name: 'Two' }, 'owner', { 'if-match': `"${updatedAt}"` });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_record']);
  });

  it('leave in the audit log what changed, not what the chatbot knows', async () => {
    await change({ knowledgeText: 'The secret of Oak Street.', name: 'Audited' });
    const entry = await seed((tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['changes', 'targetLabel', 'clientId'])
        .where('action', '=', 'chatbot.changed')
        .where('result', '=', 'ok')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    );
    assert.deepEqual([entry.targetLabel, entry.clientId], ['Oak Street Dental', service.world.clientId]);
    assert.deepEqual(entry.changes, { name: ['One', 'Audited'], knowledgeText: ['0 characters', '25 characters'] });
  });
});

describe('a plan without the chatbot', () => {
  it('answers plan_feature_required to everyone and serves no visitor; with it both work again', async () => {
    const { id } = (await change({ isActive: true })).body;
    const setFeature = (chatbot: boolean) =>
      seed((tx) =>
        tx
          .updateTable('subscription')
          .set({ overrides: JSON.stringify({ features: { chatbot } }) })
          .where('partnerId', '=', service.world.partnerId)
          .execute(),
      );
    await setFeature(false);
    const knowledge = (path: string) => service.call('GET', `/chatbot/knowledge${path}clientId=${service.world.clientId}`, { as: 'owner' });
    const replies = [await read(), await read('staff'), await change({ name: 'x' }), await service.call('GET', PATH, { as: 'clientUser' })];
    replies.push(await knowledge('?'), await knowledge('/search?q=hours&'));
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      replies.map(() => [403, 'plan_feature_required']),
    );
    now += 60_000;
    assert.equal(await bots.findServed(id), undefined);
    await setFeature(true);
    now += 60_000;
    assert.equal((await bots.findServed(id))?.id, id);
    for (const reply of [await read(), await knowledge('/search?q=hours&')]) assert.equal(reply.status, 200);
  });
});

describe('visitors', () => {
  it('find a chatbot that is switched on, of active accounts, within seconds of a change', async () => {
    const { id } = (await change({ isActive: true, brandColor: null })).body;
    now += 60_000;
    const facts = await bots.findServed(id);
    assert.deepEqual(
      [facts?.partnerId, facts?.clientId, facts?.businessName, facts?.agencyName],
      [service.world.partnerId, service.world.clientId, 'Oak Street Dental', 'Acme Agency'],
    );
    assert.match(facts?.brandColor ?? '', /^#[0-9a-f]{6}$/);
    const setStatus = (table: 'client' | 'partner', accountId: string, status: string) =>
      seed((tx) => tx.updateTable(table).set({ status }).where('id', '=', accountId).execute());
    for (const [table, accountId] of [
      ['client', service.world.clientId],
      ['partner', service.world.partnerId],
    ] as const) {
      await setStatus(table, accountId, 'suspended');
      now += 3_001;
      assert.equal(await bots.findServed(id), undefined, `${table} is suspended`);
      await setStatus(table, accountId, 'active');
      now += 3_001;
      assert.equal((await bots.findServed(id))?.id, id, `${table} is active again`);
    }
    const setSubscription = (status: string) =>
      seed((tx) => tx.updateTable('subscription').set({ status }).where('partnerId', '=', service.world.partnerId).execute());
    for (const status of ['expired', 'suspended', 'cancelled']) {
      await setSubscription(status);
      now += 3_001;
      assert.equal(await bots.findServed(id), undefined, `the subscription is ${status}`);
    }
    await setSubscription('active');
    now += 3_001;
    assert.equal((await bots.findServed(id))?.id, id, 'the subscription is active again');
    await change({ isActive: false });
    now += 3_001;
    assert.equal(await bots.findServed(id), undefined);
    assert.equal(await bots.findServed(service.world.clientId), undefined);
  });

  it('cost one query for many requests at once', async () => {
    const { id } = (await change({ isActive: true })).body;
    now += 60_000;
    const alone = await service.countStatements(() => bots.findServed(id));
    now += 60_000;
    assert.equal(await service.countStatements(() => Promise.all(Array.from({ length: 20 }, () => bots.findServed(id)))), alone);
  });
});

describe('the facts of a chatbot', () => {
  it('are those of its own tenant only', async () => {
    const { id } = (await read()).body;
    const { partnerId, clientId, otherClientId, rivalPartnerId } = service.world;
    const as = (scope: { partnerId: string; clientId: string | null }) =>
      service.db.asTenant({ kind: 'tenant', ...scope }, (tx) => bots.readFacts(tx, id));
    assert.equal((await as({ partnerId, clientId: null }))?.id, id);
    assert.equal((await as({ partnerId, clientId }))?.id, id);
    assert.equal(await as({ partnerId, clientId: otherClientId }), undefined);
    assert.equal(await as({ partnerId: rivalPartnerId, clientId: null }), undefined);
  });
});
