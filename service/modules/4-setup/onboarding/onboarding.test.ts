import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addPartner, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';

const KEYLESS = 'lead-intake-cleaner';
let service: ProvisioningService;
before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());

const read = async (as: Person = 'owner') => (await service.call('GET', '/partners/me/onboarding', { as })).body;
type Item = { key: string; isDone: boolean; doneAt: string | null; dismissedAt: string | null };
const done = (body: { items: Item[] }) => body.items.filter((item) => item.isDone).map((item) => item.key);
const dismiss = (step: string, as: Person = 'owner') => service.call('POST', `/partners/me/onboarding/${step}/dismiss`, { as });
const restore = (step: string) => service.call('DELETE', `/partners/me/onboarding/${step}/dismiss`, { as: 'owner' });

describe('the first steps of an agency', () => {
  it('are computed from its data, the same on the overview, and for no other agency', async () => {
    const before = await read('rivalOwner');
    assert.ok(done(await read()).includes('client'));
    const item = (await read()).items.find((one: Item) => one.key === 'client');
    assert.ok(item.doneAt !== null);
    assert.ok(!done(await read()).includes('agent'));
    await service.call('POST', '/agent-requests', {
      as: 'owner',
      body: { clientId: service.world.clientId, templateName: 'review-request' },
    });
    const after_ = await read();
    assert.ok(done(after_).includes('agent'));
    const summary = (await service.call('GET', '/partners/me/summary', { as: 'moderator' })).body;
    assert.deepEqual(
      summary.checklist.map((one: { key: string; done: boolean }) => [one.key, one.done]),
      after_.items.map((one: Item) => [one.key, one.isDone]),
    );
    assert.deepEqual(await read('rivalOwner'), before);
    await service.assertRefused('GET', '/partners/me/onboarding', { staff: 'role_forbidden', clientUser: 'role_forbidden' });
  });

  it('count a key that its provider refused as no connected service', async () => {
    const { partnerId } = service.world;
    const connected = async () => done(await read()).includes('key');
    const checked = (ok: boolean | null) =>
      service.database.query('update credential set last_check_ok = $2 where partner_id = $1', [partnerId, ok]);
    await service.database.query('delete from credential where partner_id = $1', [partnerId]);
    assert.equal(await connected(), false);
    await service.database.query("insert into credential (partner_id, provider, source_mode) values ($1, 'openai', 'platform')", [
      partnerId,
    ]);
    assert.equal(await connected(), true);
    await checked(false);
    assert.equal(await connected(), false);
    await checked(true);
    assert.equal(await connected(), true);
    await service.database.query('delete from credential where partner_id = $1', [partnerId]);
  });

  it('are hidden for the agency by an admin, shown again, and never done by it', async () => {
    assert.equal((await dismiss('webhook')).status, 200);
    assert.equal((await dismiss('webhook')).status, 200, 'twice changes nothing');
    const item = (await read('moderator')).items.find((one: Item) => one.key === 'webhook');
    assert.deepEqual([item.isDone, item.dismissedAt === null], [false, false]);
    const audited = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('targetLabel').where('action', '=', 'onboarding.dismissed').where('result', '=', 'ok').execute(),
    );
    assert.equal(audited.length, 1);
    assert.equal((await read('rivalOwner')).items.find((one: Item) => one.key === 'webhook').dismissedAt, null);
    await restore('webhook');
    assert.equal((await read()).items.find((one: Item) => one.key === 'webhook').dismissedAt, null);
    await dismiss('all');
    assert.notEqual((await read()).dismissedAt, null);
    await restore('all');
    assert.equal((await read()).dismissedAt, null);
    assert.equal((await dismiss('webhook', 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await dismiss('unknown')).status, 404);
  });

  it('are shown to staff for a page of agencies in one read', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    const planId = await service.db.asSystem('seed', async (tx) => (await tx.selectFrom('plan').select('id').executeTakeFirstOrThrow()).id);
    const fresh = await service.db.asSystem('seed', (tx) => addPartner(tx, { name: 'Fresh', slug: 'fresh', planId }));
    const get = (ids: string[]) => service.call('GET', `/partners/onboarding?ids=${ids.join(',')}`, { as: 'staff' });
    const { body } = await get([partnerId, rivalPartnerId, fresh]);
    const of = (id: string) => body.find((row: { partnerId: string }) => row.partnerId === id);
    assert.deepEqual(of(fresh), { partnerId: fresh, done: 0, total: 7, nextKey: 'client', nextTitle: 'Add your first client' });
    assert.equal(of(partnerId).done, done(await read()).length);
    const one = await service.countStatements(() => get([fresh]));
    assert.equal(await service.countStatements(() => get([partnerId, rivalPartnerId, fresh])), one);
    assert.equal((await get([])).status, 400);
    await service.assertRefused('GET', `/partners/onboarding?ids=${fresh}`, { owner: 'role_forbidden', clientUser: 'role_forbidden' });
  });
});

describe('the sample run', () => {
  const start = (as: Person = 'owner') => service.call('POST', '/partners/me/onboarding/sample', { as });

  it('is requested from staff while setups are switched off, and runs with one call once they have installed the agent', async () => {
    service.settings.engineEnabled = false;
    const { sample } = await read();
    assert.deepEqual([sample.state, sample.templateName, sample.result.verdict], ['not_requested', KEYLESS, 'ready']);
    assert.equal(sample.canInstall, false);
    assert.deepEqual(await start().then(({ status, body }) => [status, body.code]), [503, 'engine_unavailable']);
    assert.equal((await service.call('GET', '/partners/me/automation', { as: 'owner' })).body.status, 'unprovisioned');
    const asked = await service.call('POST', '/agent-requests', {
      as: 'owner',
      body: { clientId: sample.clientId, templateName: KEYLESS },
    });
    assert.equal((await read()).sample.state, 'submitted');
    assert.equal((await read()).sample.requestId, asked.body.id);
    service.settings.engineEnabled = true;
    await service.call('POST', `/agent-requests/${asked.body.id}/approve`, { as: 'staff', body: {} });
    await service.runner.drain();
    assert.equal((await read()).sample.state, 'ready');
    assert.equal((await start('moderator')).body.code, 'partner_role_forbidden');
    const started = await start();
    assert.equal(started.status, 202, started.text);
    const run = (await service.call('GET', `/executions/${started.body.executionId}`, { as: 'owner' })).body;
    const { sample: running } = await read();
    assert.deepEqual([run.source, run.workflowId, running.run.id], ['test', running.agentId, run.id]);
    assert.equal((await read('rivalOwner')).sample.run, null, 'another agency’s');
    assert.ok(!done(await read()).includes('sample'), 'not before it has ended');
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('workflow').set({ lastRunAt: new Date() }).where('id', '=', run.workflowId).execute(),
    );
    assert.deepEqual(
      done(await read()).filter((key) => ['sample', 'event'].includes(key)),
      ['sample'],
      'a sample is no event that someone sent',
    );
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('execution').set({ source: 'ingest' }).where('workflowId', '=', run.workflowId).execute(),
    );
    assert.ok(done(await read()).includes('event'));
    const ownedBy = async (clientId: string | null) => {
      await service.database.query('update workflow set client_id = $2 where id = $1', [run.workflowId, clientId]);
      return (await read()).sample.clientName;
    };
    assert.equal(await ownedBy(null), null, 'an agent of the agency itself is of no client');
    assert.equal(await ownedBy(service.world.clientId), 'Oak Street Dental');
    await service.call('POST', `/agents/${run.workflowId}/pause`, { as: 'owner' });
    assert.equal((await read()).sample.state, 'paused');
    assert.equal((await start()).body.code, 'workflow_inactive');
  });
});

it('a test of any agent is no event; what texts a person is named once it is installed and on', async () => {
  const { partnerId, clientId } = service.world;
  const seed = (templateName: string, isActive = true) =>
    service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName, isActive }));
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('workflow').set({ lastRunAt: null }).where('partnerId', '=', partnerId).execute(),
  );
  assert.equal((await read()).textingAgent, null);
  await seed('lead-follow-up-email');
  const off = await seed('review-request', false);
  assert.equal((await read()).textingAgent, null, 'one that mails, and one that is off');
  const id = await seed('missed-call-text-back');
  assert.deepEqual((await read()).textingAgent, { id, name: 'missed-call-text-back', clientName: 'Oak Street Dental' });
  await service.db.asSystem('seed', (tx) => tx.updateTable('workflow').set({ isActive: true }).where('id', '=', off).execute());
  assert.equal((await read('rivalOwner')).textingAgent, null);
  const { body } = await service.call('POST', `/workflows/${id}/trigger`, {
    as: 'owner',
    body: { input: { callerNumber: '+13125550121', businessNumber: '+13125550100' }, isTest: true },
  });
  await service.db.asSystem('seed', (tx) => tx.updateTable('workflow').set({ lastRunAt: new Date() }).where('id', '=', id).execute());
  assert.ok(!done(await read()).includes('event'));
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('execution').set({ source: 'trigger' }).where('id', '=', body.executionId).execute(),
  );
  assert.ok(done(await read()).includes('event'));
});
