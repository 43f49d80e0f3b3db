import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';

/** The sample run of an agency that staff have set up nothing for, against the embedded engine over HTTP. */

const KEYLESS = 'lead-intake-cleaner';
const ROUTE = '/partners/me/onboarding/sample';
let service: ProvisioningService;
let partnerId: string;
before(async () => {
  service = await startProvisioningService();
  ({ partnerId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  await service.provisioning.idle();
  await withoutRuns();
  await service.forget();
  Object.assign(service.settings, { engineEnabled: true, tenancyMode: 'shared', engineProjectId: () => service.projectId });
});

const withoutRuns = () =>
  service.db.asSystem('seed', async (tx) => {
    for (const table of ['dispatch', 'executionPayload', 'execution', 'idempotencyKey', 'auditEntry'] as const)
      await tx.deleteFrom(table).execute();
    await tx.updateTable('partnerQuota').set({ inFlight: 0, used: 0, monthlyCredits: 10_000 }).execute();
    await tx.updateTable('subscription').set({ status: 'active' }).execute();
    await tx.updateTable('partner').set({ status: 'active' }).where('isHouse', '=', false).execute();
  });
const start = (as: Person = 'owner', key?: string) =>
  service.call('POST', ROUTE, { as, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });
const sample = async (as: Person = 'owner') => (await service.call('GET', '/partners/me/onboarding', { as })).body.sample;
const instance = async () => (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body;
const attempts = async () => (await service.call('GET', `/partners/${partnerId}/automation/attempts`, { as: 'staff' })).body;
const mine = async () => (await service.call('GET', '/partners/me/automation', { as: 'owner' })).body;
const runs = () => service.db.asSystem('seed', (tx) => tx.selectFrom('execution').selectAll().where('partnerId', '=', partnerId).execute());
const codeOf = ({ status, body }: Awaited<ReturnType<typeof start>>) => [status, body.code];
const asStaff = (verb: string, body: object = {}) =>
  service.call('POST', `/partners/${partnerId}/automation/${verb}`, { as: 'staff', body });
/** Starts the sample and waits for its setup, and for what follows from it. */
async function install(): Promise<string> {
  const started = await start();
  assert.equal(started.status, 202, started.text);
  assert.equal(started.body.executionId, null);
  await service.provisioning.idle();
  return started.body.attemptId;
}
/** Holds a setup at the engine's project, before it needs a key, until `release`. */
function holdEngine(): { reached: Promise<void>; release: () => void } {
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  service.wire.around = async (call, send) => {
    if (call.url.includes('/projects')) {
      reached.resolve();
      await held.promise;
    }
    return send(call);
  };
  return { reached: reached.promise, release: held.resolve };
}
const breakEngine = (when: (url: string) => boolean = () => true): void => {
  service.wire.around = (call, send) => (when(call.url) ? Promise.reject(new OutboundError('connection_refused', false)) : send(call));
};

describe('the sample of an agency without the agent', () => {
  it('leaves everything unprovisioned, without agents, until an admin asks', async () => {
    const before = await sample();
    assert.deepEqual([before.state, before.canInstall, before.agentId, before.run], ['available', true, null, null]);
    assert.deepEqual([(await instance()).status, (await instance()).workflows, await attempts()], ['unprovisioned', [], []]);
    assert.deepEqual([(await mine()).status, (await mine()).workflows], ['unprovisioned', []]);
    assert.deepEqual(codeOf(await start('moderator')), [403, 'partner_role_forbidden']);
    for (const person of ['staff', 'clientUser'] as const) assert.deepEqual(codeOf(await start(person)), [403, 'role_forbidden']);
    assert.deepEqual([(await mine()).status, await attempts()], ['unprovisioned', []]);
  });

  it('is one recorded setup of the whole agency by the asking admin, and then one test run', async () => {
    const attemptId = await install();
    const [attempt, ...others] = await attempts();
    assert.deepEqual(
      [attempt.id, attempt.mode, attempt.status, attempt.requestedByName, attempt.templateNames, attempt.clientId, others],
      [attemptId, 'provision', 'succeeded', 'Owner Tester', [KEYLESS], null, []],
    );
    const { body } = await service.call('GET', `/partners/${partnerId}/automation/steps`, { as: 'staff' });
    assert.deepEqual([body.steps.length, body.steps.every((step: { status: string }) => step.status === 'succeeded')], [12, true]);
    const ready = await instance();
    assert.deepEqual(
      [ready.status, ready.workflows.map((one: { templateName: string; clientId: null }) => [one.templateName, one.clientId])],
      ['ready', [[KEYLESS, null]]],
    );
    const audited = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select(['action', 'actorId', 'actorType']).where('targetType', '=', 'automation_instance').execute(),
    );
    const { userId } = service.world.people.owner;
    assert.deepEqual(audited, [{ action: 'automation_instance.provision_requested', actorId: userId, actorType: 'user' }]);
    const started = await runs();
    const after_ = await sample();
    assert.deepEqual(
      [started.map((run) => [run.source, run.workflowId]), after_.run.id, after_.state, after_.canInstall],
      [[['test', after_.agentId]], started[0]?.id, 'ready', false],
    );
    const again = await start();
    assert.deepEqual([again.status, again.body.attemptId], [202, null]);
    assert.equal((await sample()).run.id, again.body.executionId);
    assert.equal((await attempts()).length, 1, 'what is installed is not set up again');
    assert.equal((await sample('rivalOwner')).state, 'available');
  });

  it('is one setup and one run, however often and by whom it is asked for at once', async () => {
    const { reached, release } = holdEngine();
    const all = await Promise.all([start('owner', 'one'), start('owner', 'one'), start('owner', 'two'), start()]);
    assert.deepEqual(
      all.map(({ status }) => status),
      [202, 202, 202, 202],
    );
    await reached;
    assert.equal(new Set(all.map(({ body }) => body.attemptId)).size, 1);
    const during = await sample();
    assert.deepEqual([during.state, during.attemptId], ['installing', all[0].body.attemptId]);
    assert.equal((await start()).body.attemptId, all[0].body.attemptId);
    release();
    await service.provisioning.idle();
    assert.deepEqual([(await attempts()).length, (await runs()).length], [1, 1]);
  });

  it('is refused before anything is set up when the run could not start', async () => {
    const seed = (column: object) => service.db.asSystem('seed', (tx) => tx.updateTable('partnerQuota').set(column).execute());
    await seed({ monthlyCredits: 0 });
    assert.deepEqual(codeOf(await start()), [402, 'quota_exceeded']);
    await seed({ monthlyCredits: 10_000 });
    const subscription = (status: 'expired' | 'active') =>
      service.db.asSystem('seed', (tx) => tx.updateTable('subscription').set({ status }).execute());
    await subscription('expired');
    assert.deepEqual(codeOf(await start()), [403, 'account_suspended']);
    await subscription('active');
    await service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status: 'suspended' }).where('id', '=', partnerId).execute());
    assert.deepEqual(codeOf(await start()), [403, 'account_suspended']);
    await service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status: 'active' }).where('id', '=', partnerId).execute());
    assert.deepEqual([await attempts(), (await mine()).status], [[], 'unprovisioned']);
    await install();
    assert.equal((await runs()).length, 1);
  });

  it('changes nothing while the engine is away, and may be tried again', async () => {
    breakEngine();
    assert.deepEqual(codeOf(await start()), [503, 'engine_unavailable']);
    assert.deepEqual([await attempts(), (await mine()).status, (await sample()).state], [[], 'unprovisioned', 'available']);
    service.wire.around = undefined;
    await install();
    assert.equal((await sample()).state, 'ready');
  });

  it('that fails half-way says why in words for the agency, and may be tried again', async () => {
    breakEngine((url) => url.includes('/flows'));
    const attemptId = await install();
    const failed = await sample();
    assert.deepEqual([failed.state, failed.canInstall, failed.attemptId, (await runs()).length], ['failed', true, attemptId, 0]);
    assert.ok(failed.errorPublic && !/127\.0\.0\.1|away/.test(failed.errorPublic));
    assert.equal((await mine()).status, 'failed');
    service.wire.around = undefined;
    await install();
    assert.deepEqual([(await sample()).state, (await runs()).length, (await instance()).workflows.length], ['ready', 1, 1]);
  });

  it('fails in shared tenancy without a project, and works once there is one', async () => {
    service.settings.engineProjectId = () => null;
    await install();
    assert.equal((await sample()).state, 'failed');
    const { body } = await service.call('GET', `/partners/${partnerId}/automation/steps`, { as: 'staff' });
    assert.equal(body.steps.find((step: { status: string }) => step.status === 'failed').name, 'ensure_tenant');
    service.settings.engineProjectId = () => service.projectId;
    await install();
    assert.equal((await sample()).state, 'ready');
  });
});

describe('the sample next to setups by staff', () => {
  it('waits for a setup of theirs under way', async () => {
    const { reached, release } = holdEngine();
    const theirs = asStaff('provision', { templateNames: ['review-request'] });
    await reached;
    assert.equal((await sample()).state, 'installing');
    service.wire.around = undefined;
    assert.deepEqual(codeOf(await start()), [409, 'provision_in_progress']);
    release();
    await theirs;
    // It failed for want of keys.
    assert.deepEqual([(await mine()).status, (await sample()).state], ['failed', 'available']);
    await install();
    assert.deepEqual([(await mine()).status, (await sample()).state], ['ready', 'ready']);
  });

  it('is a repair of an agency that is ready, as an approved request is', async () => {
    await service.saveKey('twilio');
    assert.equal((await asStaff('provision', { templateNames: ['missed-call-text-back'] })).body.status, 'succeeded');
    const { provisionedAt } = await mine();
    assert.equal((await sample()).state, 'available');
    await install();
    assert.deepEqual(
      (await attempts()).map(({ mode, status, templateNames }: { mode: string; status: string; templateNames: string[] }) => [
        mode,
        status,
        templateNames,
      ]),
      [
        ['repair', 'succeeded', [KEYLESS]],
        ['provision', 'succeeded', ['missed-call-text-back']],
      ],
    );
    assert.deepEqual([(await mine()).status, (await mine()).provisionedAt], ['ready', provisionedAt]);
  });

  it('leaves agents of clients as they are', async () => {
    const { clientId } = service.world;
    const theirs = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: KEYLESS, providerFlowId: null }),
    );
    await install();
    const flows = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('workflow').select(['id', 'clientId', 'providerFlowId']).where('partnerId', '=', partnerId).execute(),
    );
    assert.equal(flows.find(({ id }) => id === theirs)?.providerFlowId, null);
    assert.ok(flows.some((flow) => flow.clientId === null && flow.providerFlowId !== null));
  });

  it('stays with staff once they took the automation down', async () => {
    await install();
    const { body } = await service.call('DELETE', `/partners/${partnerId}/automation?confirm=acme`, { as: 'staff' });
    assert.equal(body.status, 'succeeded', JSON.stringify(body));
    const down = await sample();
    assert.deepEqual([down.state, down.canInstall], ['not_requested', false]);
    assert.deepEqual(codeOf(await start()), [409, 'invalid_state']);
    assert.equal((await mine()).status, 'unprovisioned');
    assert.equal((await asStaff('provision', { templateNames: [KEYLESS] })).body.status, 'succeeded');
    assert.equal((await sample()).state, 'ready');
  });

  it('is installed again after the agency deleted the agent', async () => {
    await install();
    const { agentId } = await sample();
    const removed = await service.call('DELETE', `/agents/${agentId}`, { as: 'owner' });
    assert.ok(removed.status < 300, removed.text);
    assert.equal((await sample()).state, 'available');
    await install();
    const again = await sample();
    assert.equal(again.state, 'ready');
    assert.notEqual(again.agentId, agentId);
    await until('its own run', async () => (await sample()).run !== null);
  });
});
