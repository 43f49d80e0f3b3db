import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import { flowFromTemplate } from '@partner-portal/core/template/template.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { newId } from '#platform/ids.ts';
import { announce, defineTopic } from '#platform/notify.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { z } from 'zod';
import { provisioningChanged } from '../views/topic.ts';

/** Drift against the embedded engine: changes of a flow there are found, named and repaired. */

let service: ProvisioningService;
let partnerId: string;

before(async () => {
  service = await startProvisioningService({ modules: (platform) => [workQueue(platform)] });
  ({ partnerId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  await service.forget();
});

const KEYLESS = 'lead-intake-cleaner';
type Shown = {
  workflowId: string;
  providerFlowId: string;
  drift: { state: string; checkedAt: string; differences: { step: string; what: string }[] } | null;
};

async function install(): Promise<Shown> {
  const body = { templateNames: [KEYLESS] };
  const reply = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body });
  assert.equal(reply.body.status, 'succeeded', reply.text);
  return reply.body.instance.workflows.at(-1);
}
const verify = () => service.call('POST', `/partners/${partnerId}/automation/verify`, { as: 'staff' });
const shown = async (): Promise<Shown[]> =>
  (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body.workflows;
const repair = async (): Promise<Shown[]> => {
  const answer = await service.provisioning.provision(service.actor('staff'), { partnerId, mode: 'repair' });
  assert.equal(answer.status, 'succeeded');
  return shown();
};

/** Renames the flow's first step, as in the engine's editor. */
async function tamper(flowId: string): Promise<void> {
  const bundle = service.catalog.find((one) => one.template.name === KEYLESS);
  assert.ok(bundle);
  const [first, ...rest] = bundle.template.steps;
  assert.ok(first?.kind === 'code');
  const template = { ...bundle.template, steps: [{ ...first, label: 'Changed by hand' }, ...rest] };
  const sources = { ...bundle.sources, [first.file]: 'export const code = async () => ({ go: true, out: {} });' };
  const options = {
    internalApiUrl: 'http://elsewhere.test',
    connectionIds: {},
    displayName: 'x',
    codeSources: sources,
    pieceVersions: await service.client.pieceVersions(),
  };
  await service.client.importFlow(flowId, flowFromTemplate(template, options));
}

test('an installed flow matches its template, and the check is recorded with time and requester', async () => {
  const installed = await install();
  assert.equal(installed.drift?.state, 'none', 'the attempt itself has verified it');
  const reply = await verify();
  assert.equal(reply.status, 200, reply.text);
  const [workflow] = reply.body.workflows;
  assert.deepEqual([workflow.drift.state, workflow.drift.differences], ['none', []]);
  assert.ok(workflow.drift.checkedAt >= (installed.drift?.checkedAt ?? ''));
  const lines = await service.db.asSystem('staff', (tx) =>
    tx.selectFrom('auditEntry').select('action').where('action', '=', 'automation_instance.verified').execute(),
  );
  assert.ok(lines.length >= 1);
});

test('a comparison is announced when it found something else than the last one', async () => {
  const { providerFlowId } = await install();
  const heard: string[] = [];
  const stops = [service.notices.subscribe(provisioningChanged, ({ what }) => heard.push(what))];
  // Channels are listened to one after the other.
  await new Promise<void>((resolve) => {
    stops.push(service.notices.subscribe(defineTopic('listened_to', z.object({})), () => undefined, resolve));
  });
  // The channel may have been listened to before: those of the installation have arrived by now.
  heard.length = 0;
  const changedAt = async (): Promise<string> =>
    (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body.updatedAt;
  const installedAt = await changedAt();
  await verify();
  assert.equal(await changedAt(), installedAt, 'what is found again changes nothing');
  await tamper(providerFlowId);
  await verify();
  const found = await changedAt();
  assert.ok(found > installedAt, 'a stream that resumes finds the change by its time');
  await verify();
  assert.equal(await changedAt(), found);
  await service.db.asSystem('seed', (tx) =>
    announce(tx, provisioningChanged, { partnerId, attemptId: null, clientId: null, what: 'ended' }),
  );
  await until('the last notice is there', () => heard.includes('ended'));
  assert.deepEqual(heard, ['compared', 'ended']);
  for (const stop of stops) stop();
});

test('a flow deleted in the engine is found and named, and a repair creates it again', async () => {
  const { workflowId, providerFlowId } = await install();
  const other = await repairWith(service.world.clientId);
  await service.client.deleteFlow(providerFlowId);
  const states = Object.fromEntries((await verify()).body.workflows.map((one: Shown) => [one.workflowId, one.drift?.state]));
  assert.deepEqual(states, { [workflowId]: 'missing', [other.workflowId]: 'none' });
  const repaired = (await repair()).find((one) => one.workflowId === workflowId);
  assert.equal(repaired?.drift?.state, 'none');
  assert.notEqual(repaired.providerFlowId, providerFlowId);
  assert.equal((await verify()).body.workflows.find((one: Shown) => one.workflowId === workflowId).drift.state, 'none');
});

test('nothing is shown of the flows of an archived client, which are not compared', async () => {
  await install();
  const archived = await repairWith(service.world.clientId);
  await service.client.deleteFlow(archived.providerFlowId);
  const driftOf = async () => (await shown()).find((one) => one.workflowId === archived.workflowId)?.drift;
  await verify();
  assert.equal((await driftOf())?.state, 'missing');
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status }).where('id', '=', service.world.clientId).execute());
  await setStatus('archived');
  try {
    assert.equal(await driftOf(), null);
    await verify();
    assert.equal(await driftOf(), null);
  } finally {
    await setStatus('active');
  }
  assert.equal((await driftOf())?.state, 'missing', 'what was found is shown again with the client');
});

/** More agents for a ready agency go through a repair. */
async function repairWith(clientId: string): Promise<Shown> {
  const answer = await service.provisioning.provision(service.actor('staff'), {
    partnerId,
    mode: 'repair',
    clientId,
    templateNames: [KEYLESS],
  });
  assert.equal(answer.status, 'succeeded');
  const found = (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body.workflows.find(
    (one: { clientId: string | null }) => one.clientId === clientId,
  );
  return found;
}

test('a flow changed in the engine is found with the steps that differ, and a repair puts it right', async () => {
  const { workflowId, providerFlowId } = await install();
  await tamper(providerFlowId);
  await service.client.publish(providerFlowId);
  const [found] = (await verify()).body.workflows as Shown[];
  assert.deepEqual([found?.workflowId, found?.drift?.state], [workflowId, 'changed']);
  assert.ok((found?.drift?.differences.length ?? 0) > 0);
  const [repaired] = await repair();
  assert.deepEqual([repaired?.drift?.state, repaired?.providerFlowId], ['none', providerFlowId]);
  assert.equal(((await verify()).body.workflows as Shown[])[0]?.drift?.state, 'none');
});

test('an attempt has ended only when what it verified is recorded', async () => {
  const { workflowId, providerFlowId } = await install();
  await service.client.changeStatus(providerFlowId, 'DISABLED');
  assert.equal((await verify()).body.workflows[0].drift.state, 'changed');
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const holding = service.db.asSystem('provisioning', async (tx) => {
    await tx.selectFrom('workflowDrift').select('state').where('workflowId', '=', workflowId).forUpdate().execute();
    held.resolve();
    await goOn.promise;
  });
  await held.promise;
  const repairing = repair();
  await until('its end waits for the record', async () => (await countLockWaits(service.database)) > 0);
  const { attempt } = (await service.call('GET', `/partners/${partnerId}/automation/steps`, { as: 'staff' })).body;
  goOn.resolve();
  await holding;
  assert.deepEqual([attempt.mode, attempt.status], ['repair', 'running']);
  assert.equal((await repairing)[0]?.drift?.state, 'none');
});

test('a flow switched off in the engine, or changed without being published, counts as changed', async () => {
  const { providerFlowId } = await install();
  await service.client.changeStatus(providerFlowId, 'DISABLED');
  const [off] = (await verify()).body.workflows as Shown[];
  assert.deepEqual(off?.drift?.differences, [{ step: 'trigger', what: 'is switched off in the engine' }]);
  await repair();
  await tamper(providerFlowId);
  const [draft] = (await verify()).body.workflows as Shown[];
  assert.equal(draft?.drift?.state, 'changed');
});

test('a flow of a former version is looked at although its template has moved on: switched off is found, its steps are unchecked', async () => {
  const at = service.catalog.findIndex((one) => one.template.name === KEYLESS);
  const bundle = service.catalog[at];
  assert.ok(bundle);
  const former = await install();
  service.catalog[at] = { ...bundle, template: { ...bundle.template, templateVersion: bundle.template.templateVersion + 1 } };
  try {
    const newest = await repairWith(service.world.clientId);
    const drifts = async () =>
      Object.fromEntries(((await verify()).body.workflows as Shown[]).map(({ workflowId, drift }) => [workflowId, drift]));
    await service.client.changeStatus(former.providerFlowId, 'DISABLED');
    const off = await drifts();
    assert.deepEqual([off[former.workflowId]?.state, off[newest.workflowId]?.state], ['changed', 'none']);
    assert.deepEqual(off[former.workflowId]?.differences, [{ step: 'trigger', what: 'is switched off in the engine' }]);
    await service.client.changeStatus(former.providerFlowId, 'ENABLED');
    const on = await drifts();
    assert.deepEqual([on[former.workflowId]?.state, on[newest.workflowId]?.state], ['unchecked', 'none']);
    assert.match(on[former.workflowId]?.differences[0]?.what ?? '', /former version/);
    assert.deepEqual(
      (await repair()).map((one) => one.drift?.state),
      ['none', 'none'],
    );
  } finally {
    service.catalog[at] = bundle;
  }
});

type Waiting = { kind: string; itemId: string; title: string; detail: string; since: string };
const waiting = async (): Promise<Waiting | undefined> =>
  (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body.find(({ kind }: Waiting) => kind === 'drift');

test('staff have an item since a flow was first found changed, until a comparison or a repair finds it in order', async () => {
  const { providerFlowId } = await install();
  assert.equal(await waiting(), undefined);
  await service.client.changeStatus(providerFlowId, 'DISABLED');
  assert.equal(await waiting(), undefined, 'no one has compared it yet');
  await service.provisioning.checkDrift();
  assert.equal((await waiting())?.itemId, partnerId);
  const first = '2026-03-02T10:00:00.000Z';
  const record = (flowId: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('workflowDrift').set({ foundAt: first, providerFlowId: flowId }).execute());
  await record(providerFlowId);
  const found = async () => {
    const item = await waiting();
    return [item?.since, item?.detail.replace(/^.*: /, '')];
  };
  await verify();
  assert.deepEqual(await found(), [first, 'changed in the engine']);
  service.wire.around = async (call, send) =>
    call.url.endsWith(`/flows/${providerFlowId}`) ? { headers: {}, status: 500, text: '{}' } : send(call);
  await verify();
  service.wire.around = undefined;
  assert.deepEqual(await found(), [first, 'could not be checked'], 'it was not found in order');
  await verify();
  assert.deepEqual(await found(), [first, 'changed in the engine']);

  await service.client.changeStatus(providerFlowId, 'ENABLED');
  await verify();
  assert.equal(await waiting(), undefined, 'someone has put it right in the engine');
  await service.client.deleteFlow(providerFlowId);
  await verify();
  const [since, what] = await found();
  assert.equal(what, 'gone from the engine');
  assert.ok(since && since > first, 'it waits since this was found');
  await record('former-flow');
  assert.equal(await waiting(), undefined, 'the flow that was found gone has been replaced');
  await verify();
  assert.notEqual((await found())[0], first, 'the flow of today waits since it was found');
  await repair();
  assert.equal(await waiting(), undefined);
});

test('the daily check covers every ready agency, and continues when one cannot be checked', async () => {
  const { providerFlowId } = await install();
  await service.client.deleteFlow(providerFlowId);
  assert.equal(await service.provisioning.checkDrift(), 1);
  assert.equal((await shown())[0]?.drift?.state, 'missing');
  service.wire.around = async () => {
    throw new OutboundError('connection_refused', false);
  };
  assert.equal(await service.provisioning.checkDrift(), 0);
  assert.equal((await shown())[0]?.drift?.state, 'missing', 'what was found stays');
});

test('a flow for which the engine returns an error is reported as unchecked, and the others are checked', async () => {
  const first = await install();
  const gone = await repairWith(service.world.clientId);
  const whole = await repairWith(service.world.otherClientId);
  await service.client.deleteFlow(gone.providerFlowId);
  const states = async () =>
    Object.fromEntries(((await verify()).body.workflows as Shown[]).map((one) => [one.workflowId, one.drift?.state]));
  for (const broken of [
    { status: 500, text: '{"statusCode":500,"message":"column \\"secret\\" of /engine/dist/main.js"}' },
    { status: 400, text: '{"code":"FST_ERR_VALIDATION","message":"params/id"}' },
    { status: 200, text: '{"id":"half' },
  ]) {
    service.wire.around = async (call, send) =>
      call.url.endsWith(`/flows/${first.providerFlowId}`) ? { headers: { 'content-type': 'application/json' }, ...broken } : send(call);
    assert.deepEqual(await states(), { [first.workflowId]: 'unchecked', [gone.workflowId]: 'missing', [whole.workflowId]: 'none' });
    const text = JSON.stringify(await shown());
    assert.doesNotMatch(text, /secret|main\.js|FST_ERR/, 'the reason is for the log');
    assert.equal(await service.provisioning.checkDrift(), 1, 'what was not looked at has not drifted');
  }
  service.wire.around = undefined;
  assert.equal((await states())[first.workflowId], 'none', 'the next look says how it is');
});

test('an engine that responds in time for one flow of two is slow, one that responds for none is unavailable', async () => {
  const slow = await install();
  const quick = await repairWith(service.world.clientId);
  const stall = (pattern: RegExp) => {
    service.wire.around = (call, send) => (pattern.test(call.url) ? Promise.reject(new OutboundError('timeout', true)) : send(call));
  };
  stall(new RegExp(`/flows/${slow.providerFlowId}$`));
  assert.deepEqual(Object.fromEntries(((await verify()).body.workflows as Shown[]).map((one) => [one.workflowId, one.drift?.state])), {
    [slow.workflowId]: 'unchecked',
    [quick.workflowId]: 'none',
  });
  stall(/\/flows\//);
  assert.equal((await verify()).body.code, 'engine_unavailable');
});

test('a check while the engine is unavailable is refused and changes nothing', async () => {
  await install();
  service.wire.around = async () => {
    throw new OutboundError('connection_refused', false);
  };
  const reply = await verify();
  assert.deepEqual([reply.status, reply.body.code], [503, 'engine_unavailable']);
  assert.doesNotMatch(reply.text, /nobody there|127\.0\.0\.1/);
});

test('a check during a setup is refused, and only staff may start one', async () => {
  await install();
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'provisioning' }).execute());
  assert.equal((await verify()).body.code, 'provision_in_progress');
  await service.assertRefused('POST', `/partners/${partnerId}/automation/verify`, {
    owner: 'role_forbidden',
    moderator: 'role_forbidden',
    clientUser: 'role_forbidden',
  });
  assert.equal((await service.call('POST', `/partners/${newId()}/automation/verify`, { as: 'staff' })).body.code, 'not_found');
});

test('the result of a run whose report was refused is read from the engine', async () => {
  const { internalApiUrl } = service.settings;
  service.settings.internalApiUrl = service.settings.sandbox()?.url ?? '';
  const { workflowId, providerFlowId } = await install();
  const executionId = newId();
  const since = new Date(Date.now() - 1_000);
  const event = { executionId, workflowId, callbackToken: 'x', input: { email: 'ANN@example.com' }, config: {}, client: {}, facts: {} };
  assert.equal(await service.client.dispatch(providerFlowId, executionId, event), 'accepted');
  let run;
  let verdict = null;
  while (verdict?.is !== 'ended') {
    run = (await service.client.findRuns(providerFlowId, [{ executionId, sentAt: since }])).get(executionId);
    verdict = !run || run === 'unseen' ? null : readEngineRun(run, { executionId, workflowId });
  }
  service.settings.internalApiUrl = internalApiUrl;
  assert.equal(verdict.report.status, 'SUCCEEDED');
  assert.deepEqual([verdict.report.executionId, typeof verdict.report.output], [executionId, 'object']);
});
