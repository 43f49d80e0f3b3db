import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { STEP_LISTS, stageOf } from '@partner-portal/core/provisioning/provisioning.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import type { ServerEvent } from '#platform/http/sse.ts';
import { newId } from '#platform/ids.ts';
import { announce } from '#platform/notify.ts';
import { Secret } from '#platform/secret.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { claimInstance, insertAttempt, lockInstance, startStep } from './store-attempts.ts';
import { listDrift, listNewestWorkflows, listShownWorkflows } from './views/store-views.ts';
import { streamAutomation, streamMyAutomation } from './views/stream-automation.ts';
import { provisioningChanged } from './views/topic.ts';

/** Access to instances, attempts and views. The pipeline is tested in attempts/. */

let service: ProvisioningService;
let partnerId: string;
let clientId: string;

before(async () => {
  service = await startProvisioningService();
  ({ partnerId, clientId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  await service.forget();
});

const KEYLESS = 'lead-intake-cleaner';
const TEXT_BACK = 'missed-call-text-back';
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const provision = (body: object = { templateNames: [KEYLESS], clientId }) =>
  service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body });
const NOT_STAFF = {
  owner: 'role_forbidden',
  moderator: 'role_forbidden',
  clientUser: 'role_forbidden',
  rivalOwner: 'role_forbidden',
} as const;

/** Texts that only staff may read. */
function assertRedacted(text: string): void {
  for (const word of [
    'baseUrl',
    'projectId',
    'lastError',
    'providerFlowId',
    'apiKey',
    service.projectId,
    String(service.settings.engineBaseUrl()),
  ]) {
    assert.ok(!text.includes(word), `"${word}" reached an agency: ${text.slice(0, 400)}`);
  }
}

test("the routes of an agency's installation are for staff only", async () => {
  for (const path of ['', '/attempts', '/steps', '/stream'])
    await service.assertRefused('GET', `/partners/${partnerId}/automation${path}`, NOT_STAFF);
  for (const path of ['provision', 'reprovision'])
    await service.assertRefused('POST', `/partners/${partnerId}/automation/${path}`, NOT_STAFF, {});
  await service.assertRefused('DELETE', `/partners/${partnerId}/automation?confirm=acme`, NOT_STAFF);
  for (const path of ['templates', 'engine', 'outbox']) await service.assertRefused('GET', `/provisioning/${path}`, NOT_STAFF);
  for (const path of ['', '/attempts', '/steps', '/stream']) {
    assert.equal((await service.call('GET', `/partners/${UNKNOWN}/automation${path}`, { as: 'staff' })).body?.code, 'not_found', path);
  }
});

test('an agency that was never set up has an unprovisioned instance and no attempts', async () => {
  const { body } = await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' });
  assert.deepEqual([body.status, body.projectId, body.provisionedAt, body.workflows], ['unprovisioned', null, null, []]);
  assert.deepEqual((await service.call('GET', `/partners/${partnerId}/automation/attempts`, { as: 'staff' })).body, []);
  assert.deepEqual((await service.call('GET', `/partners/${partnerId}/automation/steps`, { as: 'staff' })).body, {
    attempt: null,
    steps: [],
  });
  const mine = await service.call('GET', '/partners/me/automation', { as: 'owner' });
  assert.deepEqual(
    [mine.body.status, mine.body.attempt, mine.body.stages.map((stage: { status: string }) => stage.status)],
    ['unprovisioned', null, ['pending', 'pending', 'pending', 'pending']],
  );
});

test('steps are shown of the latest attempt, or of the one requested', async () => {
  const failed = await provision({ templateNames: [TEXT_BACK], clientId });
  const ready = await provision({ templateNames: [KEYLESS], clientId });
  const path = `/partners/${partnerId}/automation/steps`;
  assert.equal((await service.call('GET', path, { as: 'staff' })).body.attempt.id, ready.body.attemptId);
  const older = await service.call('GET', `${path}?attemptId=${failed.body.attemptId}`, { as: 'staff' });
  assert.deepEqual([older.body.attempt.number, older.body.attempt.status, older.body.steps.length], [1, 'failed', 12]);
  assert.equal((await service.call('GET', `${path}?attemptId=${UNKNOWN}`, { as: 'staff' })).status, 404);
  assert.equal((await service.call('GET', `${path}?attemptId=x`, { as: 'staff' })).body.code, 'invalid_query');
  const elsewhere = `/partners/${service.world.rivalPartnerId}/automation/steps?attemptId=${failed.body.attemptId}`;
  assert.equal((await service.call('GET', elsewhere, { as: 'staff' })).status, 404, 'an attempt of another agency');
});

test('an agency sees four stages and the client-safe error, and nothing that only staff may read', async () => {
  await provision({ templateNames: [TEXT_BACK], clientId });
  for (const as of ['owner', 'moderator'] as const) {
    const { status, body, text } = await service.call('GET', '/partners/me/automation', { as });
    assert.equal(status, 200);
    assert.deepEqual(
      body.stages.map((stage: { label: string; status: string }) => [stage.label, stage.status]),
      [
        ['Preparing', 'succeeded'],
        ['Connecting to your automation platform', 'succeeded'],
        ['Configuring access', 'failed'],
        ['Installing workflows', 'skipped'],
      ],
    );
    assert.equal(body.errorPublic, 'Could not activate: missing credential for step(s) Send text');
    assert.deepEqual(
      body.workflows.map((one: { templateName: string; clientName: string; installed: boolean }) => [
        one.templateName,
        one.clientName,
        one.installed,
      ]),
      [[TEXT_BACK, 'Oak Street Dental', false]],
    );
    assertRedacted(text);
  }
  const rival = await service.call('GET', '/partners/me/automation', { as: 'rivalOwner' });
  assert.deepEqual([rival.body.status, rival.body.workflows], ['unprovisioned', []]);
});

test('an agency sees its newest agents, of one client where it names it, and how many there are', async () => {
  await service.db.asSystem('seed', async (tx) => {
    const other = await addClient(tx, partnerId, 'Harbor Cafe');
    for (const templateName of [KEYLESS, TEXT_BACK]) await addWorkflow(tx, { partnerId, clientId: other, templateName });
    await addWorkflow(tx, { partnerId, clientId, templateName: KEYLESS });
    const newest = await listNewestWorkflows(tx, { partnerId, clientId: null }, 2);
    assert.deepEqual([newest.rows.map((row) => row.clientName), newest.total], [['Harbor Cafe', 'Oak Street Dental'], 3]);
  });
  const of = async (query: string) => (await service.call('GET', `/partners/me/automation${query}`, { as: 'owner' })).body;
  const all = await of('');
  assert.deepEqual([all.workflows.length, all.workflowCount], [3, 3]);
  const one = await of(`?clientId=${clientId}`);
  assert.deepEqual([one.workflows.length, one.workflowCount, one.workflows[0].clientName], [1, 1, 'Oak Street Dental']);
  assert.equal((await service.call('GET', `/partners/me/automation?clientId=${clientId}`, { as: 'rivalOwner' })).status, 404);
});

test('staff see a limited number of agents of an agency, those whose flow differs from its template first, then the newest, and how many there are', async () => {
  const { rivalPartnerId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    const harbor = await addClient(tx, partnerId, 'Harbor Cafe');
    const add = (owner: string | null, name: string, providerFlowId: string | null) =>
      addWorkflow(tx, { partnerId, clientId: owner, templateName: name === 'own' ? TEXT_BACK : KEYLESS, name, providerFlowId });
    const changed = await add(clientId, 'changed', 'flow-1');
    const replaced = await add(harbor, 'replaced', 'flow-2');
    const equal = await add(null, 'equal', 'flow-3');
    await add(harbor, 'own', null);
    const rival = await addWorkflow(tx, { partnerId: rivalPartnerId, clientId: null, templateName: KEYLESS, providerFlowId: 'flow-4' });
    for (const [workflowId, owner, state, providerFlowId] of [
      [changed, partnerId, 'changed', 'flow-1'],
      [replaced, partnerId, 'missing', 'a former flow'],
      [equal, partnerId, 'none', 'flow-3'],
      [rival, rivalPartnerId, 'missing', 'flow-4'],
    ] as const)
      await tx.insertInto('workflowDrift').values({ workflowId, partnerId: owner, state, providerFlowId }).execute();
    const shown = async (limit: number) => (await listShownWorkflows(tx, partnerId, limit)).rows.map(({ name }) => name);
    assert.deepEqual(await shown(1), ['changed']);
    assert.deepEqual(await shown(2), ['own', 'changed']);
    assert.deepEqual(await shown(3), ['equal', 'own', 'changed']);
    assert.deepEqual(await shown(4), ['equal', 'own', 'replaced', 'changed']);
    const { rows, counts } = await listShownWorkflows(tx, partnerId, 2);
    assert.deepEqual(counts, { total: 4, installed: 3, clients: 2 });
    const drift = await listDrift(
      tx,
      partnerId,
      rows.map(({ workflowId }) => workflowId),
    );
    assert.deepEqual(
      drift.map(({ workflowId, state }) => [workflowId, state]),
      [[changed, 'changed']],
    );
  });
  const { body } = await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' });
  assert.deepEqual(
    body.workflows.map((one: { name: string; drift: { state: string } | null }) => [one.name, one.drift?.state ?? null]),
    [
      ['equal', 'none'],
      ['own', null],
      ['replaced', null],
      ['changed', 'changed'],
    ],
  );
  assert.deepEqual([body.workflowCount, body.installedCount, body.installedClientCount], [4, 3, 2]);
  const empty = await service.call('GET', `/partners/${service.world.housePartnerId}/automation`, { as: 'staff' });
  assert.deepEqual([empty.body.workflowCount, empty.body.installedCount, empty.body.installedClientCount], [0, 0, 0]);
});

test('staff can read one agency’s view; no one else may name one', async () => {
  await provision();
  const path = `/partners/me/automation?partnerId=${partnerId}`;
  const asStaff = await service.call('GET', path, { as: 'staff' });
  const asOwner = await service.call('GET', '/partners/me/automation', { as: 'owner' });
  assert.deepEqual(asStaff.body, asOwner.body);
  assertRedacted(asStaff.text);
  assert.deepEqual(
    (await service.call('GET', '/partners/me/automation', { as: 'staff' })).body.status,
    'unprovisioned',
    'the house partner',
  );
  await service.assertRefused('GET', path, {
    owner: 'scope_forbidden',
    moderator: 'scope_forbidden',
    rivalOwner: 'scope_forbidden',
    clientUser: 'role_forbidden',
  });
  assert.equal((await service.call('GET', `/partners/me/automation?partnerId=${UNKNOWN}`, { as: 'staff' })).status, 404);
});

test('the viewer shows definition and runs to staff and the owning agency, without engine ids', async () => {
  const { body } = await provision();
  const [workflow] = body.instance.workflows;
  await service.db.asSystem('seed', async (tx) => {
    const base = {
      partnerId,
      clientId,
      workflowId: workflow.workflowId,
      source: 'trigger',
      templateVersion: 1,
      creditsHeld: 1,
      dueAt: new Date(Date.now() + 60_000),
    };
    await tx
      .insertInto('execution')
      .values({ ...base, id: newId(), summary: 'Checked a lead' })
      .execute();
  });
  const path = `/partners/${partnerId}/automation/workflows/${workflow.workflowId}/viewer`;
  for (const as of ['staff', 'owner', 'moderator'] as const) {
    const view = await service.call('GET', path, { as });
    assert.equal(view.status, 200, view.text);
    assert.equal(view.body.definition.steps.at(-1).name, 'report');
    assert.deepEqual(
      [view.body.workflow.templateName, view.body.workflow.installed, view.body.runs[0].summary],
      [KEYLESS, true, 'Checked a lead'],
    );
    assert.ok(!view.text.includes(workflow.providerFlowId) && !view.text.includes(service.projectId));
  }
  await service.assertRefused('GET', path, { clientUser: 'role_forbidden', rivalOwner: 'not_found', rivalClientUser: 'role_forbidden' });
  for (const [partner, id] of [
    [service.world.rivalPartnerId, workflow.workflowId],
    [partnerId, UNKNOWN],
    [partnerId, 'x'],
  ]) {
    assert.equal((await service.call('GET', `/partners/${partner}/automation/workflows/${id}/viewer`, { as: 'staff' })).status, 404);
  }
});

test('a preflight reports what would be missing and changes nothing', async () => {
  await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: TEXT_BACK, name: 'Text back', providerFlowId: null }),
  );
  const ask = (body: object, as: 'owner' | 'moderator' | 'staff' = 'owner') =>
    service.call('POST', '/provisioning/preflight', { as, body });
  const lacking = await ask({});
  assert.deepEqual([lacking.body.ready, lacking.body.total], [0, 1]);
  assert.deepEqual(lacking.body.templates[0].cells, [
    { provider: 'twilio', state: 'missing', message: 'No Twilio key is saved yet.', sourceMode: null, savedAt: null, checkedAt: null },
  ]);
  assert.equal(
    lacking.body.templates[0].creditsPerRun,
    service.catalog.find(({ template }) => template.name === TEXT_BACK)?.template.creditsPerRun,
  );
  assert.equal(lacking.body.templates[0].message, 'Could not activate: missing credential for step(s) Send text');
  await service.saveKey('twilio');
  const ready = await ask({ clientId, templateNames: [TEXT_BACK, KEYLESS] }, 'moderator');
  assert.deepEqual(
    ready.body.templates.map((one: { templateName: string; ready: boolean; workflowId: string | null; clientName: string }) => [
      one.templateName,
      one.ready,
      one.workflowId !== null,
      one.clientName,
    ]),
    [
      [TEXT_BACK, true, true, 'Oak Street Dental'],
      [KEYLESS, true, false, 'Oak Street Dental'],
    ],
  );
  assert.equal(ready.body.templates[0].cells[0].state, 'inherited');
  assert.match(ready.body.templates[0].cells[0].savedAt, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual((await ask({ partnerId, clientId, templateNames: [TEXT_BACK, KEYLESS] }, 'staff')).body, ready.body);
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('credential').set({ lastCheckOk: false, lastCheckMessage: 'Twilio refused the key.' }).execute(),
  );
  const failing = await ask({});
  assert.deepEqual(
    [failing.body.ready, failing.body.templates[0].cells[0].state, failing.body.templates[0].message],
    [1, 'failing', 'Twilio refused the key.'],
  );
  const rows = await service.db.asSystem('seed', async (tx) => [
    await tx.selectFrom('workflow').select('id').execute(),
    await tx.selectFrom('provisioningAttempt').select('id').execute(),
    await tx.selectFrom('automationInstance').select('partnerId').execute(),
  ]);
  assert.deepEqual(
    rows.map((one) => one.length),
    [1, 0, 0],
  );
});

test('a preflight names the required settings that are empty, which keep no agent from being installed', async () => {
  await service.saveKey('twilio');
  await service.saveKey('resend');
  const templateName = 'review-request';
  const lacking = async (): Promise<unknown> => {
    const { body } = await service.call('POST', '/provisioning/preflight', {
      as: 'owner',
      body: { clientId, templateNames: [templateName] },
    });
    const [{ ready, missingSettings }] = body.templates;
    return [ready, missingSettings.map(({ key }: { key: string }) => key)];
  };
  const profile = (businessProfile: object) =>
    service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('client')
        .set({ businessProfile: JSON.stringify(businessProfile) })
        .where('id', '=', clientId)
        .execute(),
    );
  assert.deepEqual(await lacking(), [true, ['reviewUrl', 'fromNumber']]);
  await profile({ reviewUrl: 'https://reviews.example/oak' });
  assert.deepEqual(await lacking(), [true, ['fromNumber']]);
  await service.db.asSystem('seed', async (tx) => {
    const id = await addWorkflow(tx, { partnerId, clientId, templateName, providerFlowId: null });
    const config = JSON.stringify({ fromNumber: '+13125550100' });
    await tx.updateTable('workflow').set({ config }).where('id', '=', id).execute();
  });
  assert.deepEqual(await lacking(), [true, []]);
  await profile({});
  assert.deepEqual(await lacking(), [true, ['reviewUrl']]);
});

test('a preflight is for the caller’s own agency only', async () => {
  const body = { clientId: service.world.rivalClientId };
  assert.equal((await service.call('POST', '/provisioning/preflight', { as: 'owner', body })).body.code, 'not_found');
  await service.assertRefused('POST', '/provisioning/preflight', { clientUser: 'role_forbidden' }, {});
  await service.assertRefused('POST', '/provisioning/preflight', { owner: 'scope_forbidden' }, { partnerId });
  assert.equal(
    (await service.call('POST', '/provisioning/preflight', { as: 'owner', body: { templateNames: ['nope'] } })).body.code,
    'validation_failed',
  );
  assert.equal(
    (await service.call('POST', '/provisioning/preflight', { as: 'staff', body: { partnerId: UNKNOWN } })).body.code,
    'not_found',
  );
});

test('staff see how many agencies and agents run each version of a template', async () => {
  await provision();
  const { body } = await service.call('GET', '/provisioning/templates', { as: 'staff' });
  assert.equal(body.length, service.catalog.length);
  const by = (name: string) => body.find((one: { name: string }) => one.name === name);
  const { templateVersion } = by(KEYLESS);
  assert.ok(templateVersion > 0);
  assert.deepEqual(by(KEYLESS).adoption, [{ templateVersion, partners: 1, workflows: 1 }]);
  assert.deepEqual(by(TEXT_BACK).adoption, []);
});

test('the engine page also works while the engine is unavailable or off', async () => {
  const { body } = await provision();
  const [{ workflowId }] = body.instance.workflows;
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await service.db.asSystem('seed', async (tx) => {
    await tx.insertInto('workflowHour').values({ partnerId, workflowId, clientId, hour, succeeded: 3, failed: 2 }).execute();
    const run = { partnerId, clientId, workflowId, source: 'ingest', summary: '', templateVersion: 1, creditsHeld: 1, dueAt: new Date() };
    await tx
      .insertInto('execution')
      .values({ ...run, id: newId(), status: 'FAILED', errorCode: 'timeout' })
      .execute();
    await tx
      .insertInto('execution')
      .values({ ...run, id: newId(), status: 'RUNNING' })
      .execute();
  });
  const look = async () => (await service.call('GET', '/provisioning/engine', { as: 'staff' })).body;
  const fine = await look();
  assert.deepEqual(
    [fine.health, fine.version, fine.enabled, fine.tenancyMode, fine.projectId, fine.byHour.length, fine.stuckAttempts],
    ['ok', '0.85.2', true, 'shared', service.projectId, 24, 0],
  );
  // The hour may have ended meanwhile.
  const then = fine.byHour.find((one: { at: string }) => one.at === hour.toISOString());
  assert.deepEqual([fine.runs24h.succeeded, fine.runs24h.failed, fine.runs24h.timedOut, then?.succeeded], [3, 2, 1, 3]);
  assert.ok(fine.runs24h.running >= 1);
  assert.ok(Date.parse(fine.session.expiresAt) > Date.now());
  assert.deepEqual(fine.callbackFailures, { total: 0, byReason: [] });
  await service.call('POST', '/executions/webhook', {
    body: { executionId: UNKNOWN, workflowId, status: 'SUCCEEDED' },
    headers: { 'x-callback-token': 'of another run' },
  });
  await service.executions.flushRefusals();
  assert.deepEqual((await look()).callbackFailures, { total: 1, byReason: [{ reason: 'bad_token', reports: 1 }] });
  service.wire.around = () => Promise.reject(new OutboundError('connection_refused', false));
  assert.equal((await look()).health, 'down');
  service.wire.around = async (call, send) =>
    call.url.endsWith('/flags')
      ? { status: 200, headers: { 'content-type': 'application/json' }, text: '{"CURRENT_VERSION":"0.99.0","EDITION":"ce"}' }
      : send(call);
  const untested = await look();
  assert.deepEqual([untested.health, untested.version], ['degraded', '0.99.0']);
  service.wire.around = undefined;
  service.settings.engineEnabled = false;
  const off = await look();
  service.settings.engineEnabled = true;
  assert.deepEqual([off.health, off.enabled], ['disabled', false]);
});

test('agencies that were set up in another tenancy mode are named by the engine page and by a start', async () => {
  const messages = async () => [
    (await service.call('GET', '/provisioning/engine', { as: 'staff' })).body.tenancyMessage,
    await service.provisioning.readTenancyMessage(),
  ];
  await provision();
  assert.deepEqual(await messages(), [null, null]);
  service.settings.tenancyMode = 'project';
  const [page, start] = await messages();
  service.settings.tenancyMode = 'shared';
  assert.match(page, /^1 agency was set up in shared tenancy, but AUTOMATION_TENANCY_MODE is "project"/);
  assert.equal(start, page);
});

test('the outbox lists what the sandbox received, page by page, and does not exist without a sandbox', async () => {
  const base = service.settings.sandbox()?.url ?? '';
  const provider = createInternalFetch(() => true);
  const headers = { authorization: 'Bearer re_sandbox', 'content-type': 'application/json' };
  for (const subject of ['one', 'two', 'three']) {
    const body = JSON.stringify({ from: 'a@agency.test', to: ['b@client.test'], subject, text: 'Hello' });
    await provider.send({ method: 'POST', url: `${base}/resend/emails`, headers, body, timeoutMs: 60_000 });
  }
  await provider.close();
  const list = async (query = '') => service.call('GET', `/provisioning/outbox${query}`, { as: 'staff' });
  const first = await list('?provider=resend&limit=2');
  assert.deepEqual(
    first.body.data.map((call: { body: string }) => JSON.parse(call.body).subject),
    ['three', 'two'],
  );
  const second = await list(`?provider=resend&limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`);
  assert.deepEqual([second.body.data.length, second.body.nextCursor], [1, null]);
  assert.equal((await list(`?provider=twilio&cursor=${encodeURIComponent(first.body.nextCursor)}`)).body.code, 'invalid_cursor');
  assert.equal((await list('?q=two')).body.data.length, 1);
  const { sandbox } = service.settings;
  service.settings.sandbox = () => null;
  assert.equal((await list()).body.code, 'not_found');
  service.settings.sandbox = () => ({ url: 'http://127.0.0.1:1', token: new Secret('x') });
  assert.equal((await list()).body.code, 'service_unavailable');
  service.settings.sandbox = () => ({ url: base, token: new Secret('the bearer of another start') });
  assert.equal((await list()).body.code, 'service_unavailable');
  service.settings.sandbox = sandbox;
});

type Stream = { events: ServerEvent[]; until(done: (events: ServerEvent[]) => boolean): Promise<ServerEvent[]>; stop(): void };

async function openStream(answer: Awaited<ReturnType<typeof streamAutomation>>, lastEventId: string | null = null): Promise<Stream> {
  const events: ServerEvent[] = [];
  let look: () => void = () => undefined;
  const stop = await answer.source.open((event) => {
    events.push(event);
    look();
  }, lastEventId);
  const until: Stream['until'] = (done) =>
    new Promise((resolve) => {
      look = () => done(events) && resolve(events);
      look();
    });
  return { events, until, stop };
}

function deps() {
  const { db, catalog, settings, notices, log } = service;
  return { db, catalog, settings, notices, log };
}

test('staff follow each step as it happens, and a stream resumes after the last event it saw', async () => {
  const live = await openStream(await streamAutomation(deps(), service.actor('staff'), partnerId));
  await provision();
  const events = await live.until((seen) => seen.some((event) => event.event === 'attempt'));
  live.stop();
  const last = events.at(-1);
  assert.deepEqual([last?.id, last?.event], ['1.25', 'attempt']);
  const names = new Set(events.filter((event) => event.event === 'step').map((event) => (event.data as { name: string }).name)); // what stepAnswer made
  assert.ok(names.has('mark_ready') && names.has('import_flows'), [...names].join());
  const ids = events.map((event) => event.id);
  assert.deepEqual(ids, [...new Set(ids)], 'nothing is listed twice');
  const resumed = await openStream(await streamAutomation(deps(), service.actor('staff'), partnerId), '1.22');
  assert.deepEqual(
    resumed.events.map((event) => event.id),
    ['1.24', '1.25'],
  );
  resumed.stop();
  const whole = await openStream(await streamAutomation(deps(), service.actor('staff'), partnerId), 'not an id');
  assert.equal(whole.events.length, 13);
  whole.stop();
});

test("an agency follows its four stages, and nothing of another's", async () => {
  const own = await openStream(await streamMyAutomation(deps(), service.actor('owner'), undefined));
  const rival = await openStream(await streamMyAutomation(deps(), service.actor('rivalOwner'), undefined));
  await provision({ templateNames: [TEXT_BACK], clientId });
  const events = await own.until((seen) => seen.at(-1)?.id === '1.25');
  own.stop();
  rival.stop();
  assertRedacted(JSON.stringify(events));
  assert.match(JSON.stringify(events.at(-1)), /"errorPublic":"Could not activate: missing credential for step\(s\) Send text"/);
  assert.deepEqual(rival.events, []);
  const resumed = await openStream(await streamMyAutomation(deps(), service.actor('owner'), undefined), '1.25');
  assert.deepEqual(resumed.events, []);
  resumed.stop();
});

test('of several setups at once the one that holds the instance is shown, not those that lost their claim', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => provision()));
  const [winner] = answers.filter((answer) => answer.status === 202);
  const { body } = await service.call('GET', '/partners/me/automation', { as: 'owner' });
  assert.deepEqual([body.status, body.attempt.id], ['ready', winner?.body.attemptId]);
  assert.ok(body.stages.every((stage: { status: string }) => stage.status === 'succeeded'));
  const stream = await openStream(await streamAutomation(deps(), service.actor('staff'), partnerId));
  const events = await stream.until((seen) => seen.at(-1)?.event === 'attempt');
  stream.stop();
  assert.match(JSON.stringify(events.at(-1)), /"status":"succeeded"/);
});

test('of several first setups at once the one that claims the instance is followed, also when a newer one was seen', async () => {
  const begin = async (): Promise<string> => {
    const id = newId();
    const steps = STEP_LISTS.provision.map((name) => ({ name, stage: stageOf(name) }));
    const asked = { requestedBy: null, clientId: null, templateNames: [], refreshTemplates: false };
    await service.db.asSystem('provisioning', async (tx) => {
      await lockInstance(tx, { partnerId, provider: 'activepieces', tenancyMode: 'shared' });
      await insertAttempt(tx, { id, partnerId, mode: 'provision', steps, ...asked });
      await startStep(tx, id, 1);
    });
    return id;
  };
  const [attemptId] = [await begin(), await begin()];
  const streams = [
    await openStream(await streamAutomation(deps(), service.actor('staff'), partnerId)),
    await openStream(await streamMyAutomation(deps(), service.actor('owner'), undefined)),
  ];
  for (const { events } of streams) assert.equal(events.at(-1)?.id, '2.1');
  await service.db.asSystem('provisioning', async (tx) => {
    await claimInstance(tx, { partnerId, attemptId, from: ['unprovisioned'], to: 'provisioning', timeoutMinutes: 15 });
    await announce(tx, provisioningChanged, { partnerId, attemptId, clientId: null, what: 'step' });
  });
  for (const stream of streams) {
    await stream.until((seen) => seen.at(-1)?.id === '1.1');
    stream.stop();
  }
});

test('the redacted view costs few statements, for any number of agents', async () => {
  await provision();
  const count = await service.countStatements(() => service.call('GET', '/partners/me/automation', { as: 'owner' }));
  assert.ok(count <= 6, `${count} statements, BEGIN, scope and COMMIT included`);
  const preflight = await service.countStatements(() => service.call('POST', '/provisioning/preflight', { as: 'owner', body: {} }));
  assert.ok(preflight <= 6, `${preflight} statements`);
});
