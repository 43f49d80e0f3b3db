import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { PROVISION_STEPS, REPAIR_STEPS } from '@partner-portal/core/provisioning/provisioning.ts';
import { externalConnectionId } from '@partner-portal/core/template/template.ts';
import { createApp } from '@partner-portal/service/app.ts';
import { loadConfig } from '@partner-portal/service/config.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import type { InternalCall } from '#platform/outbound/internal-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { reapOverdueAttempts } from './reap-attempts.ts';

/** The pipeline against the embedded engine over HTTP, with the real vault and a real database. */

let service: ProvisioningService;
let partnerId: string;
let clientId: string;
const lines: string[] = [];

before(async () => {
  service = await startProvisioningService({ logLine: (line) => lines.push(line) });
  ({ partnerId, clientId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  Object.assign(service.settings, { engineEnabled: true, tenancyMode: 'shared', engineProjectId: () => service.projectId });
  await service.forget();
});

const KEYLESS = 'lead-intake-cleaner';
const keylessVersion = (): number => service.catalog.find(({ template }) => template.name === KEYLESS)?.template.templateVersion ?? 0;
const TEXT_BACK = 'missed-call-text-back';
const provision = (body: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body, headers });
const instance = async () => (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body;
const steps = async () => (await service.call('GET', `/partners/${partnerId}/automation/steps`, { as: 'staff' })).body;
const statuses = (rows: { name: string; status: string }[]) => Object.fromEntries(rows.map((row) => [row.name, row.status]));

/** Flows in the engine that carry this workflow's tag. */
async function flowsOf(workflowId: string): Promise<string[]> {
  const flows = await service.client.listFlows(service.projectId, workflowId, (metadata) => metadata['workflowId'] === workflowId);
  return flows.map(({ metadata }) => String(metadata?.['workflowId']));
}

test('twelve recorded steps take an agency from nothing to ready', async () => {
  const before_ = Date.now();
  const { status, body } = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([status, body.status, body.instance.status], [202, 'succeeded', 'ready']);
  assert.deepEqual(
    body.steps.map((step: { name: string }) => step.name),
    [...PROVISION_STEPS],
  );
  assert.ok(
    body.steps.every((step: { status: string; durationMs: number | null }) => step.status === 'succeeded' && step.durationMs !== null),
  );
  const { instance: row } = body;
  assert.deepEqual(
    [row.tenancyMode, row.projectId, row.baseUrl, row.apiKeyEncrypted, row.lastError],
    ['shared', service.projectId, service.settings.engineBaseUrl(), null, null],
  );
  assert.ok(Date.parse(row.provisionedAt) >= before_ - 1000);
  const [workflow] = row.workflows;
  assert.deepEqual([workflow.templateName, workflow.templateVersion, workflow.clientId], [KEYLESS, keylessVersion(), null]);
  const flow = await service.client.getFlow(workflow.providerFlowId);
  assert.deepEqual([flow?.status, flow?.publishedVersionId, flow?.version.valid], ['ENABLED', flow?.version.id, true]);
  const imported = body.steps.find((step: { name: string }) => step.name === 'import_flows');
  assert.deepEqual(imported.metadata.templates, { [KEYLESS]: keylessVersion() }, 'the metadata lists the version of each template');
});

test('what was installed takes an event, runs it, and the run is found by its executionId', async () => {
  const { body } = await provision({ templateNames: [KEYLESS], clientId });
  const flowId = body.instance.workflows[0].providerFlowId;
  const since = new Date(Date.now() - 1_000);
  const executionId = newId();
  const event = {
    executionId,
    workflowId: body.instance.workflows[0].workflowId,
    callbackToken: 'x',
    input: { email: 'ANN@example.com' },
    config: {},
    client: {},
    facts: {},
  };
  const findRun = async (id: string) => (await service.client.findRuns(flowId, [{ executionId: id, sentAt: since }])).get(id);
  const other = newId();
  assert.equal(await service.client.dispatch(flowId, other, { ...event, executionId: other }), 'accepted');
  assert.equal(await service.client.dispatch(flowId, executionId, event), 'accepted');
  let run: Awaited<ReturnType<typeof findRun>> = null;
  // Up to the report, which has no receiver here.
  while (run === 'unseen' || run?.steps?.['outcome']?.status !== 'SUCCEEDED') run = await findRun(executionId);
  assert.equal(await findRun(newId()), null);
});

test('a setup asked for while the embedded engine starts waits for it, and says so when it takes too long', async () => {
  const { engineStarted, provisionTimeoutMinutes } = service.settings;
  const started = Promise.withResolvers<void>();
  service.settings.engineStarted = started.promise;
  try {
    const asked = provision({ templateNames: [KEYLESS] });
    const claimed = (row: { name: string; status: string }) => row.name === 'claim_instance' && row.status === 'succeeded';
    await until('the instance is claimed', async () => (await steps()).steps.some(claimed));
    assert.equal((await instance()).status, 'provisioning');
    started.resolve();
    assert.equal((await asked).body.status, 'succeeded');
    service.settings.engineStarted = new Promise(() => undefined);
    service.settings.provisionTimeoutMinutes = 0;
    const body = { mode: 'repair', templateNames: [KEYLESS] };
    const late = await service.call('POST', `/partners/${partnerId}/automation/reprovision`, { as: 'staff', body });
    assert.deepEqual([late.body.status, late.body.instance.status], ['failed', 'failed']);
    assert.match(late.body.instance.errorPublic, /still starting/);
  } finally {
    Object.assign(service.settings, { engineStarted, provisionTimeoutMinutes });
  }
});

test('the requester is audited in the transaction that created the attempt', async () => {
  const { body } = await provision({ templateNames: [KEYLESS] });
  const rows = await service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('auditEntry')
      .selectAll()
      .where('partnerId', '=', partnerId)
      .where('action', '=', 'automation_instance.provision_requested')
      .orderBy('id', 'desc')
      .execute(),
  );
  assert.deepEqual([rows[0]?.actorId, rows[0]?.actorType, rows[0]?.result], [service.world.people.staff.userId, 'staff', 'ok']);
  const attempts = (await service.call('GET', `/partners/${partnerId}/automation/attempts`, { as: 'staff' })).body;
  assert.deepEqual([attempts[0].id, attempts[0].requestedByName, attempts[0].templateNames], [body.attemptId, 'Staff Tester', [KEYLESS]]);
});

test('each required connection is bound once, under a name that is the same on every attempt', async () => {
  await service.saveKey('twilio');
  const { body } = await provision({ templateNames: [TEXT_BACK], clientId });
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  const externalId = externalConnectionId(partnerId, clientId, 'twilio');
  const held = (await service.client.listConnections(service.projectId)).filter((one) => one.externalId === externalId);
  assert.equal(held.length, 1);
  const rows = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('engineConnection').select(['externalId', 'status', 'engineConnectionId']).execute(),
  );
  assert.deepEqual(rows, [{ externalId, status: 'live', engineConnectionId: held[0]?.id ?? '' }]);
});

test('a key that was never saved fails the attempt before anything is written to the engine, in the specified words', async () => {
  const calls: string[] = [];
  service.wire.around = (call, send) => {
    calls.push(`${call.method} ${new URL(call.url).pathname}`);
    return send(call);
  };
  const { status, body } = await provision({ templateNames: [TEXT_BACK], clientId });
  assert.deepEqual([status, body.status, body.instance.status], [202, 'failed', 'failed']);
  assert.equal(body.instance.errorPublic, 'Could not activate: missing credential for step(s) Send text');
  assert.match(body.instance.lastError, /^resolve_credentials: .*provider=twilio for Oak Street Dental/);
  const { metadata } = body.steps.find((one: { name: string }) => one.name === 'resolve_credentials');
  assert.deepEqual(metadata, { missing: [{ provider: 'twilio', clientId }] });
  const by = statuses(body.steps);
  assert.deepEqual(
    [by['ensure_tenant'], by['resolve_credentials'], by['bind_credentials'], by['mark_ready']],
    ['succeeded', 'failed', 'skipped', 'skipped'],
  );
  assert.ok(!calls.some((call) => /^POST .*\/(flows|app-connections)/.test(call)), calls.join());
});

test('the log names a client whose key is missing by its id, never by its name', async () => {
  const logged = async (templateName: string): Promise<string> => {
    lines.length = 0;
    await provision({ templateNames: [templateName], clientId });
    const failed = lines.filter((line) => line.includes('provisioning step failed'));
    assert.equal(failed.length, 1);
    return failed.join();
  };
  const unsaved = await logged(TEXT_BACK);
  assert.ok(unsaved.includes(`no credential is saved: provider=twilio for ${clientId} (Send text)`), unsaved);
  await service.forget();
  await service.saveKey('resend', { clientId });
  const saved = await service.call('PUT', '/credentials/anthropic', { as: 'owner', body: { sourceMode: 'platform', clientId } });
  assert.equal(saved.status, 200, saved.text);
  const unusable = await logged('lead-follow-up-email');
  assert.ok(unusable.includes(`no usable key: provider=anthropic for ${clientId} (Draft reply)`), unusable);
  for (const line of [unsaved, unusable]) assert.ok(!line.includes('Oak Street Dental'), line);
});

test('a saved key that has no value behind it fails when it is bound; what could be bound is bound', async () => {
  await service.saveKey('resend');
  const saved = await service.call('PUT', '/credentials/anthropic', { as: 'owner', body: { sourceMode: 'platform' } });
  assert.equal(saved.body.configured, false);
  const { body } = await provision({ templateNames: ['lead-follow-up-email'] });
  const failed = body.steps.find((step: { status: string }) => step.status === 'failed');
  assert.deepEqual(
    [failed.name, failed.errorPublic],
    ['bind_credentials', 'Could not activate: missing credential for step(s) Draft reply'],
  );
  assert.deepEqual(
    failed.metadata.connections.map((one: { provider: string; bound: boolean }) => [one.provider, one.bound]),
    [
      ['anthropic', false],
      ['resend', true],
    ],
  );
});

test('a key that failed its last check is used anyway, with a warning', async () => {
  await service.saveKey('twilio');
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('credential')
      .set({ lastCheckOk: false, lastCheckAt: new Date('2026-11-09T10:00:00Z'), lastCheckMessage: 'no' })
      .execute(),
  );
  const { body } = await provision({ templateNames: [TEXT_BACK], clientId });
  const step = body.steps.find((one: { name: string }) => one.name === 'resolve_credentials');
  assert.deepEqual(
    [body.status, step.summary, step.warnings],
    ['succeeded', '1 found, 1 warning', ['Twilio for Oak Street Dental failed its last check on 2026-11-09. It was used anyway.']],
  );
});

for (const [what, wire] of [
  ['is refused', () => Promise.reject(new OutboundError('connection_refused', false))],
  [
    'loses its answer',
    async (call: InternalCall, send: (call: InternalCall) => Promise<unknown>) => (
      await send(call),
      Promise.reject(new OutboundError('timeout', true))
    ),
  ],
] as const) {
  test(`whichever engine call ${what}, retries end ready with one flow per agent and one connection per need`, async () => {
    await service.saveKey('twilio');
    let done = false;
    let attempts = 0;
    for (let fatal = 1; !done; fatal++) {
      let calls = 0;
      service.wire.around = (call, send) => (++calls === fatal ? wire(call, send) : send(call));
      const { status, body } = await provision({ templateNames: [TEXT_BACK, KEYLESS], clientId });
      assert.equal(status, 202);
      attempts++;
      done = body.status === 'succeeded';
      if (!done) assert.deepEqual([body.status, body.instance.status], ['failed', 'failed']);
      assert.ok(!/127\.0\.0\.1|engine|timeout:/i.test(body.instance.errorPublic ?? ''), body.instance.errorPublic);
    }
    service.wire.around = undefined;
    assert.ok(attempts > 8, `${attempts} attempts`);
    const row = await instance();
    assert.equal(row.workflows.length, 2);
    for (const workflow of row.workflows) {
      assert.deepEqual(await flowsOf(workflow.workflowId), [workflow.workflowId], workflow.templateName);
      assert.equal((await service.client.getFlow(workflow.providerFlowId))?.status, 'ENABLED');
    }
    const externalId = externalConnectionId(partnerId, clientId, 'twilio');
    assert.equal((await service.client.listConnections(service.projectId)).filter((one) => one.externalId === externalId).length, 1);
  });
}

test('anything but a switched-on engine is refused at the gate: recorded, failed, and reported without its reason', async () => {
  service.settings.engineEnabled = false;
  const { body } = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([body.status, body.instance.status], ['failed', 'failed']);
  assert.match(body.instance.lastError, /AUTOMATION_ENGINE_ENABLED/);
  assert.doesNotMatch(body.instance.errorPublic, /AUTOMATION|engine/i);
  assert.deepEqual(statuses(body.steps)['feature_gate'], 'failed');
  service.settings.engineEnabled = true;
  assert.equal((await provision({ templateNames: [KEYLESS] })).body.status, 'succeeded', 'failed is left by Provision');
});

test('shared tenancy without a project fails at once, with a clear message for staff and a safe one for the agency', async () => {
  service.settings.engineProjectId = () => null;
  const { body } = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([body.status, statuses(body.steps)['ensure_tenant']], ['failed', 'failed']);
  assert.match(body.instance.lastError, /AUTOMATION_ENGINE_PROJECT_ID/);
  assert.equal(body.instance.errorPublic, 'The automation platform is not set up completely yet. Please contact support.');
});

test('an engine that is not healthy fails the attempt within its budget', async () => {
  service.wire.around = async (call, send) =>
    call.url.endsWith('/v1/health')
      ? { status: 503, headers: { 'content-type': 'application/json' }, text: '{"status":"Unhealthy"}' }
      : send(call);
  const { body } = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([body.status, statuses(body.steps)['verify_connectivity']], ['failed', 'failed']);
  assert.match(body.instance.lastError, /unhealthy \(budget 60000 ms\)/);
});

test('project tenancy finds or makes the agency its own project; a plan that holds no more is a client-safe failure', async () => {
  service.settings.tenancyMode = 'project';
  const first = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([first.body.status, first.body.instance.tenancyMode], ['succeeded', 'project'], first.body.instance.lastError);
  assert.notEqual(first.body.instance.projectId, service.projectId);
  await service.forget();
  const again = await provision({ templateNames: [KEYLESS] });
  assert.equal(again.body.instance.projectId, first.body.instance.projectId, 'found by its exact name');
  const rival = await service.call('POST', `/partners/${service.world.rivalPartnerId}/automation/provision`, {
    as: 'staff',
    body: { templateNames: [KEYLESS] },
  });
  assert.deepEqual([rival.body.status, statuses(rival.body.steps)['ensure_tenant']], ['failed', 'failed']);
  assert.match(rival.body.instance.lastError, /402 FEATURE_DISABLED/);
  assert.equal(rival.body.instance.errorPublic, 'Your own space on the automation platform could not be created. Please contact support.');
});

test('project tenancy knows the project of an agency whose slug was changed since', async () => {
  service.settings.tenancyMode = 'project';
  const first = await provision({ templateNames: [KEYLESS] });
  await service.db.asSystem('seed', async (tx) => {
    await tx.updateTable('partner').set({ slug: 'acme-renamed' }).where('id', '=', partnerId).execute();
    await tx.updateTable('automationInstance').set({ status: 'failed' }).where('partnerId', '=', partnerId).execute();
  });
  const again = await provision({ templateNames: [KEYLESS] });
  await service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ slug: 'acme' }).where('id', '=', partnerId).execute());
  assert.deepEqual([again.body.status, again.body.instance.projectId], ['succeeded', first.body.instance.projectId]);
});

test('of two concurrent requests exactly one provisions, the other is refused and changes nothing', async () => {
  const gate = Promise.withResolvers<void>();
  // The claimant waits before its first engine call until the other is refused, however slow either is.
  service.wire.around = async (call, send) => (await gate.promise, send(call));
  const both = [provision({ templateNames: [KEYLESS] }), provision({ templateNames: [KEYLESS] })];
  await Promise.race(both);
  gate.resolve();
  const answers = await Promise.all(both);
  const codes = answers
    .map((answer) => (answer.status === 202 ? answer.body.status : answer.body.code))
    .toSorted((a, b) => a.localeCompare(b));
  assert.deepEqual(codes, ['provision_in_progress', 'succeeded']);
  const row = await instance();
  assert.deepEqual([row.status, row.lastError], ['ready', null]);
  assert.deepEqual(await flowsOf(row.workflows[0].workflowId), [row.workflows[0].workflowId]);
});

/** Holds the attempt at its first health check until `release`. */
function holdAtHealth(): { reached: Promise<void>; release: () => void } {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  service.wire.around = async (call, send) => {
    if (call.url.endsWith('/v1/health')) {
      reached.resolve();
      await gate.promise;
    }
    return send(call);
  };
  return { reached: reached.promise, release: () => gate.resolve() };
}

test('while an attempt holds the instance, another request is refused and the attempt goes on', async () => {
  const hold = holdAtHealth();
  const running = provision({ templateNames: [KEYLESS] });
  await hold.reached;
  assert.equal((await instance()).status, 'provisioning');
  const second = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([second.status, second.body.code], [409, 'provision_in_progress']);
  hold.release();
  assert.equal((await running).body.status, 'succeeded');
});

test('Prefer: respond-async answers while the steps still run; they end by themselves', async () => {
  const hold = holdAtHealth();
  const { status, body, headers } = await provision({ templateNames: [KEYLESS] }, { prefer: 'wait=5, respond-async' });
  assert.deepEqual([status, body.status, headers['preference-applied']], [202, 'running', 'respond-async']);
  hold.release();
  await service.provisioning.idle();
  assert.deepEqual([(await instance()).status, (await steps()).attempt.status], ['ready', 'succeeded']);
});

test('a request that runs longer than a proxy waits is answered with the attempt as it is; the setup goes on by itself', async () => {
  const hold = holdAtHealth();
  service.settings.answerWithinMs = 1;
  try {
    const { status, body, headers } = await provision({ templateNames: [KEYLESS] });
    assert.deepEqual([status, body.status, headers['preference-applied']], [202, 'running', undefined]);
    await hold.reached;
    hold.release();
    await service.provisioning.idle();
    assert.deepEqual([(await instance()).status, (await steps()).attempt.status], ['ready', 'succeeded']);
    // Asked again, it is the state that answers, not a second setup: the flow is there once.
    const [workflow] = (await instance()).workflows;
    assert.equal((await flowsOf(workflow.workflowId)).length, 1);
  } finally {
    service.settings.answerWithinMs = 600_000;
  }
});

test('a caller that hangs up in the middle loses nothing: the setup it asked for goes on to its end', async () => {
  const hold = holdAtHealth();
  const origin = await service.listen();
  const gone = whenHungUp(origin);
  const headers = { ...service.bearer('staff'), 'content-type': 'application/json' };
  const asked = request(`${origin}/partners/${partnerId}/automation/provision`, { method: 'POST', headers });
  asked.on('error', () => undefined);
  asked.end(JSON.stringify({ templateNames: [KEYLESS] }));
  await hold.reached;
  asked.destroy();
  await gone;
  assert.deepEqual([(await instance()).status, (await steps()).attempt.status], ['provisioning', 'running']);
  hold.release();
  await service.provisioning.idle();
  const { status, lastError, workflows } = await instance();
  assert.deepEqual([status, lastError, (await steps()).attempt.status], ['ready', null, 'succeeded']);
  assert.equal((await service.client.getFlow(workflows[0].providerFlowId))?.status, 'ENABLED');
});

/** Resolves when this server has seen that the caller of its next request is gone. */
function whenHungUp(origin: string): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const onRequest = (message: unknown): void => {
    const { socket } = message as { socket: Socket }; // as node:http publishes it
    if (String(socket.localPort) !== new URL(origin).port) return;
    unsubscribe('http.server.request.start', onRequest);
    socket.once('close', () => gone.resolve());
  };
  subscribe('http.server.request.start', onRequest);
  return gone.promise;
}

test('the service answers a setup that goes on after 50 seconds, before a proxy ends the request, with the running attempt', async (context) => {
  const engine = await startSilentEngine();
  const app = await createApp({
    config: loadConfig({ ...serviceEnv(), AUTOMATION_ENGINE_BASE_URL: engine.url }),
    log: service.log,
    addressOf: (role) => service.database.configFor(role),
    engineBaseUrl: () => engine.url,
    engineProjectId: () => service.projectId,
    sandbox: null,
  });
  const timers = context.mock.method(globalThis, 'setTimeout').mock;
  try {
    const answered = app.server.inject({
      method: 'POST',
      url: `/partners/${partnerId}/automation/provision`,
      headers: service.bearer('staff'),
      payload: { templateNames: [KEYLESS] },
    });
    await engine.reached;
    const due = timers.calls.flatMap(({ arguments: [run, ms] }) => (ms === 50_000 ? [run] : []));
    assert.equal(due.length, 1, 'one timer of fifty seconds');
    due[0]?.();
    const { statusCode, body } = await answered;
    const { status, instance: row } = JSON.parse(body) as { status: string; instance: { status: string } }; // the contract's answer
    assert.deepEqual([statusCode, status, row.status], [202, 'running', 'provisioning']);
  } finally {
    engine.release();
    await app.stop();
    await engine.close();
  }
});

/** Settings of a service that shares database and sessions with the one of the tests. */
function serviceEnv(): Record<string, string> {
  return {
    DATA_DIR: '/nonexistent',
    DATABASE_URL: 'postgres://given-by-addressOf',
    JWT_SECRET: 't'.repeat(48),
    AUTOMATION_CALLBACK_SECRET: 'c'.repeat(48),
    CREDENTIALS_ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    AUTOMATION_ENGINE_ENABLED: 'true',
    AUTOMATION_ENGINE_ADMIN_EMAIL: 'engine-admin@example.com',
    AUTOMATION_ENGINE_ADMIN_PASSWORD: 'never-asked-for',
    AUTOMATION_HEALTH_TIMEOUT_MS: '120000',
  };
}

/** An engine that answers nothing before `release`, and then that it is not healthy. */
async function startSilentEngine(): Promise<{ url: string; reached: Promise<void>; release: () => void; close: () => Promise<void> }> {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = createServer((_asked, reply) => {
    reached.resolve();
    void gate.promise.then(() => reply.writeHead(503, { 'content-type': 'application/json' }).end('{"status":"Unhealthy"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    reached: reached.promise,
    release: () => gate.resolve(),
    close: async () => void (await server[Symbol.asyncDispose]()),
  };
}

test('the reaper ends what is too old, and what comes later changes nothing', async () => {
  const hold = holdAtHealth();
  const running = provision({ templateNames: [KEYLESS] });
  await hold.reached;
  assert.equal(await reapOverdueAttempts(service), 0, 'nothing is overdue yet');
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('automationInstance')
      .set({ dueAt: new Date(Date.now() - 1000) })
      .execute(),
  );
  assert.equal(await reapOverdueAttempts(service), 1);
  hold.release();
  const { status, body } = await running;
  assert.deepEqual([status, body.status, body.instance.status], [202, 'timed_out', 'failed']);
  assert.equal(body.instance.errorPublic, 'Setup stopped because it took too long. Please try again.');
  assert.deepEqual([statuses(body.steps)['verify_connectivity'], statuses(body.steps)['mark_ready']], ['failed', 'skipped']);
  service.wire.around = undefined;
  assert.equal((await provision({ templateNames: [KEYLESS] })).body.status, 'succeeded');
});

test('an attempt that ends while it is reaped waits for the reaper, without a deadlock', async () => {
  const published = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  service.wire.around = async (call, send) => {
    const answer = await send(call);
    if (call.body?.includes('LOCK_AND_PUBLISH')) {
      published.resolve(undefined);
      await gate.promise;
    }
    return answer;
  };
  const running = provision({ templateNames: [KEYLESS] });
  await published.promise;
  // Does the reaper's work: the attempt, then its instance and its steps.
  const reaping = service.db.asSystem('sweep', async (tx) => {
    const { id } = await tx
      .updateTable('provisioningAttempt')
      .set({ status: 'timed_out', finishedAt: new Date() })
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirstOrThrow();
    gate.resolve(undefined);
    await until('the attempt waits for the reaper', async () => (await countLockWaits(service.database)) > 0);
    // A session waiting for the attempt holds neither: the reaper needs both.
    await tx.selectFrom('provisioningStep').select('order').where('attemptId', '=', id).forUpdate().noWait().execute();
    await tx.updateTable('automationInstance').set({ status: 'failed', dueAt: null }).where('currentAttemptId', '=', id).execute();
    await tx
      .updateTable('provisioningStep')
      .set({ status: 'skipped' })
      .where('attemptId', '=', id)
      .where('status', 'in', ['pending', 'running'])
      .execute();
  });
  await reaping;
  const { body } = await running;
  assert.deepEqual([body.status, body.instance.status], ['timed_out', 'failed']);
});

test('an attempt that a crash left before its claim is reaped too', async () => {
  await provision({ templateNames: [KEYLESS] });
  await service.db.asSystem('seed', async (tx) => {
    await tx
      .updateTable('provisioningAttempt')
      .set({ status: 'running', startedAt: new Date(Date.now() - 16 * 60_000), finishedAt: null })
      .execute();
    await tx.updateTable('automationInstance').set({ status: 'ready', currentAttemptId: null }).execute();
  });
  assert.equal(await reapOverdueAttempts(service), 1);
  assert.deepEqual([(await steps()).attempt.status, (await instance()).status], ['timed_out', 'ready']);
});

test('a ready agency is not provisioned again; a repair installs and updates in place, six steps, not restamped', async () => {
  const first = await provision({ templateNames: [KEYLESS] });
  const again = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([again.status, again.body.code], [409, 'invalid_state']);
  await service.saveKey('twilio');
  const repaired = await service.provisioning.provision(service.actor('staff'), {
    partnerId,
    mode: 'repair',
    templateNames: [KEYLESS, TEXT_BACK],
    clientId,
  });
  assert.deepEqual([repaired.status, repaired.instance.status], ['succeeded', 'ready'], repaired.instance.lastError ?? '');
  assert.deepEqual(
    repaired.steps.map((step) => step.name),
    [...REPAIR_STEPS],
  );
  assert.equal(repaired.instance.provisionedAt?.toISOString(), first.body.instance.provisionedAt);
  const fresh = await service
    .forget()
    .then(() => service.provisioning.provision(service.actor('staff'), { partnerId, mode: 'repair' }).catch((error) => error.code));
  assert.equal(fresh, 'invalid_state', 'nothing to repair where nothing was set up');
});

test('a stored copy is replaced by a newer catalog version, and only then', async () => {
  await provision({ templateNames: [KEYLESS] });
  const copy = () =>
    service.db.asSystem('seed', (tx) => tx.selectFrom('templateCopy').select(['templateVersion', 'copiedAt']).executeTakeFirstOrThrow());
  const before_ = await copy();
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'failed' }).execute());
  const same = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual(await copy(), before_);
  assert.equal(same.body.steps.find((step: { name: string }) => step.name === 'import_flows').summary, '1 unchanged');
  const index = service.catalog.findIndex((bundle) => bundle.template.name === KEYLESS);
  const [original] = service.catalog.slice(index, index + 1);
  assert.ok(original);
  const [step, ...rest] = original.template.steps;
  assert.ok(step);
  const newest = original.template.templateVersion + 1;
  service.catalog[index] = {
    ...original,
    template: { ...original.template, templateVersion: newest, steps: [{ ...step, label: 'Tidied differently' }, ...rest] },
  };
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'failed' }).execute());
  const newer = await provision({ templateNames: [KEYLESS] });
  service.catalog[index] = original;
  const imported = newer.body.steps.find((one: { name: string }) => one.name === 'import_flows');
  assert.deepEqual([newer.body.status, imported.summary, imported.metadata.templates], ['succeeded', '1 updated', { [KEYLESS]: newest }]);
  assert.deepEqual([(await copy()).templateVersion, newer.body.instance.workflows[0].templateVersion], [newest, newest]);
  assert.equal((await flowsOf(newer.body.instance.workflows[0].workflowId)).length, 1);
});

test('an agent keeps the version and the price that its flow runs until the new flow is published', async () => {
  const { body: first } = await provision({ templateNames: [KEYLESS] });
  const [agent] = first.instance.workflows;
  const recorded = () =>
    service.db.asSystem('seed', (tx) =>
      tx.selectFrom('workflow').select(['templateVersion', 'creditsPerRun']).where('id', '=', agent.workflowId).executeTakeFirstOrThrow(),
    );
  const before = await recorded();
  const index = service.catalog.findIndex((bundle) => bundle.template.name === KEYLESS);
  const [original] = service.catalog.slice(index, index + 1);
  assert.ok(original && before.templateVersion !== null);
  const next = { templateVersion: before.templateVersion + 1, creditsPerRun: before.creditsPerRun + 1 };
  const [step, ...rest] = original.template.steps;
  assert.ok(step);
  service.catalog[index] = {
    ...original,
    template: { ...original.template, ...next, steps: [{ ...step, label: 'Tidied again' }, ...rest] },
  };
  try {
    const repair = () => service.call('POST', `/partners/${partnerId}/automation/reprovision`, { as: 'staff', body: { mode: 'repair' } });
    service.wire.around = async (call, send) => {
      if (call.body?.includes('LOCK_AND_PUBLISH')) throw new OutboundError('connection_refused', false);
      return send(call);
    };
    const failed = await repair();
    assert.deepEqual([failed.body.status, statuses(failed.body.steps)['enable_flows']], ['failed', 'failed']);
    assert.deepEqual(await recorded(), before);
    assert.equal((await sendEvent(agent.workflowId)).status, 202, 'the flow before runs on');
    service.wire.around = undefined;
    assert.equal((await repair()).body.status, 'succeeded');
    assert.deepEqual(await recorded(), next);
  } finally {
    service.catalog[index] = original;
  }
});

/** Sends an event to the ingest URL of an agent. */
const sendEvent = (workflowId: string) =>
  service.call('POST', `/webhooks/agents/${workflowId}?token=${ingestToken(service.callbackSecret.reveal(), workflowId)}`, {
    body: { payload: { name: 'Ada Byron', email: 'ada@example.com', message: 'Hi' } },
  });

for (const end of ['fails', 'is timed out'] as const)
  test(`an agent whose first setup ${end} before its flow is published is not installed, and a later setup installs it`, async () => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.wire.around = async (call, send) => {
      if (!call.body?.includes('LOCK_AND_PUBLISH')) return send(call);
      reached.resolve();
      await released.promise;
      throw new OutboundError('connection_refused', false);
    };
    const running = provision({ templateNames: [KEYLESS], clientId });
    await reached.promise;
    const [agent] = await service.database.query<{ id: string }>('select id from workflow');
    assert.ok(agent);
    const during = await sendEvent(agent.id);
    assert.equal(during.status, 202, 'an event that comes during the setup waits for it');
    if (end === 'is timed out') {
      await service.database.query("update automation_instance set due_at = now() - interval '1 second'");
      assert.equal(await reapOverdueAttempts(service), 1);
    }
    released.resolve();
    const { body: ended } = await running;
    assert.deepEqual([ended.status, ended.instance.status], [end === 'fails' ? 'failed' : 'timed_out', 'failed']);

    const shown = async () => {
      const { body } = await service.call('GET', `/agents/${agent.id}`, { as: 'owner' });
      return [body.installed, body.health];
    };
    const refused = await sendEvent(agent.id);
    assert.deepEqual([refused.status, refused.body.code, await shown()], [409, 'workflow_inactive', [false, 'not_installed']]);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await service.database.query("update dispatch set due_at = now() - interval '1 second'");
      await service.executions.dispatcher.runOnce();
    }
    const { body: run } = await service.call('GET', `/executions/${during.body.executionId}`, { as: 'owner' });
    assert.deepEqual([run.status, run.error.code, run.creditsCharged], ['FAILED', 'dispatch_failed', 0]);

    service.wire.around = undefined;
    assert.equal((await provision({ templateNames: [KEYLESS], clientId })).body.status, 'succeeded');
    assert.deepEqual([(await sendEvent(agent.id)).status, await shown()], [202, [true, 'ok']]);
    assert.equal((await flowsOf(agent.id)).length, 1);
  });

test('without names: all agents of the agency, or the whole active catalog when it has none', async () => {
  await service.db.asSystem('seed', async (tx) => {
    await addWorkflow(tx, { partnerId, clientId, templateName: KEYLESS, providerFlowId: null });
    await addWorkflow(tx, { partnerId, clientId: service.world.otherClientId, templateName: KEYLESS, providerFlowId: null });
  });
  const own = await provision();
  assert.deepEqual(
    [own.body.status, own.body.instance.workflows.filter((one: { providerFlowId: string | null }) => one.providerFlowId !== null).length],
    ['succeeded', 2],
  );
  await service.forget();
  const all = await provision();
  assert.equal(all.body.instance.workflows.length, service.catalog.filter((bundle) => bundle.template.isActive).length);
  assert.deepEqual(
    [all.body.status, all.body.instance.errorPublic.startsWith('Could not activate: missing credential for step(s) ')],
    ['failed', true],
  );
});

test('a flow that was deleted in the engine is created again, with a warning', async () => {
  const first = await provision({ templateNames: [KEYLESS] });
  const [workflow] = first.body.instance.workflows;
  await service.client.deleteFlow(workflow.providerFlowId);
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'failed' }).execute());
  const again = await provision({ templateNames: [KEYLESS] });
  const imported = again.body.steps.find((step: { name: string }) => step.name === 'import_flows');
  assert.equal(again.body.status, 'succeeded', again.body.instance.lastError);
  assert.match(imported.warnings[0], /was missing from the engine/);
  assert.notEqual(again.body.instance.workflows[0].providerFlowId, workflow.providerFlowId);
});

test('what cannot be provisioned is refused before an attempt is made', async () => {
  const { world } = service;
  const attempts = () => service.db.asSystem('seed', (tx) => tx.selectFrom('provisioningAttempt').select('id').execute());
  const refused: [string, object, string][] = [
    [world.housePartnerId, {}, 'invalid_state'],
    ['018f0000-0000-7000-8000-000000000000', {}, 'not_found'],
    ['not-an-id', {}, 'not_found'],
    [partnerId, { clientId: world.rivalClientId }, 'not_found'],
    [partnerId, { templateNames: ['no-such-template'] }, 'validation_failed'],
    [partnerId, { templateNames: [] }, 'validation_failed'],
    [partnerId, { templateNames: 'x' }, 'validation_failed'],
  ];
  for (const [id, body, code] of refused) {
    const answer = await service.call('POST', `/partners/${id}/automation/provision`, { as: 'staff', body });
    assert.equal(answer.body.code, code, JSON.stringify(body));
  }
  assert.deepEqual(await attempts(), []);
});

test('stopping the service ends running attempts as failed, never silently', async () => {
  const hold = holdAtHealth();
  const running = provision({ templateNames: [KEYLESS] });
  await hold.reached;
  const stopped = service.provisioning.stop();
  hold.release();
  await stopped;
  const { body } = await running;
  assert.deepEqual(
    [body.status, body.instance.status, body.instance.errorPublic],
    ['failed', 'failed', 'Setup was interrupted by a restart. Please try again.'],
  );
});

test('a service that stops starts no further setup, which could only fail', async () => {
  await service.provisioning.stop();
  const { status, body } = await provision({ templateNames: [KEYLESS] });
  assert.deepEqual([status, body.code], [409, 'provision_in_progress']);
  const sample = service.provisioning.sample.install(
    { actor: service.actor('owner'), address: '127.0.0.1', userAgent: 'tests', requestId: 'r' },
    KEYLESS,
    () => Promise.resolve(),
  );
  await assert.rejects(sample, { code: 'provision_in_progress' });
  const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('automationInstance').select('status').execute());
  assert.deepEqual(rows, [], 'nothing was claimed');
});
