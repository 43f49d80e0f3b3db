import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { PROVISION_STEPS, TEARDOWN_STEPS } from '@partner-portal/core/provisioning/provisioning.ts';
import { connectionPrefix, externalConnectionId } from '@partner-portal/core/template/template.ts';
import { isFull } from '@partner-portal/tests/harness/full.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { reapOverdueAttempts } from './reap-attempts.ts';

/** Deprovision, recreate and repair against the embedded engine over HTTP, stopped at every call they make. */

let service: ProvisioningService;
let partnerId: string;
let clientId: string;
let rivalPartnerId: string;

before(async () => {
  service = await startProvisioningService();
  ({ partnerId, clientId, rivalPartnerId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  Object.assign(service.settings, { engineEnabled: true, embedded: true, tenancyMode: 'shared', engineProjectId: () => service.projectId });
  await service.forget();
  const { client } = service;
  for (const { id } of await client.listFlows(service.projectId, '', () => true)) await client.deleteFlow(id);
  for (const { id } of await client.listConnections(service.projectId)) await client.deleteConnection(id);
  for (const { id } of await client.listProjects()) if (id !== service.projectId) await client.deleteProject(id);
});

const KEYLESS = 'lead-intake-cleaner';
const TEXT_BACK = 'missed-call-text-back';
type Step = { name: string; status: string; summary: string };
type Row = { workflowId: string; providerFlowId: string; templateVersion: number | null; templateName: string };

const post = (what: string, body: object = {}, id = partnerId) =>
  service.call('POST', `/partners/${id}/automation/${what}`, { as: 'staff', body });
const provision = () => post('provision', { templateNames: [TEXT_BACK, KEYLESS], clientId });
const deprovision = (confirm: string | null = 'acme', id = partnerId) =>
  service.call('DELETE', `/partners/${id}/automation${confirm === null ? '' : `?confirm=${confirm}`}`, { as: 'staff' });
const instance = async () => (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body;
const MODES = { deprovision: () => deprovision(), recreate: () => post('reprovision', { mode: 'recreate' }) } as const;
const flowsOf = (id: string, projectId = service.projectId) => service.client.listFlows(projectId, '', (tag) => tag['partnerId'] === id);
const connectionsOf = async (id: string) =>
  (await service.client.listConnections(service.projectId)).filter((one) => one.externalId.startsWith(connectionPrefix(id)));
const connectionRows = () =>
  service.db.asSystem('seed', (tx) => tx.selectFrom('engineConnection').select('externalId').where('partnerId', '=', partnerId).execute());

/** A ready agency: two agents of one client, one of them with a connection. */
async function install(): Promise<Row[]> {
  await service.saveKey('twilio');
  const { body } = await provision();
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  return body.instance.workflows;
}

/** Nothing of the agency is in the engine, and nothing is remembered of it. */
async function assertGone(): Promise<void> {
  const row = await instance();
  assert.deepEqual([row.status, row.projectId, row.baseUrl, row.provisionedAt, row.lastError], ['unprovisioned', null, null, null, null]);
  assert.deepEqual([await flowsOf(partnerId), await connectionsOf(partnerId), await connectionRows()], [[], [], []]);
  assert.ok(row.workflows.every((one: Row) => one.providerFlowId === null && one.templateVersion === null));
}

/** Exactly one published flow per agent and one connection per need, in any prior state. */
async function assertWhole(message?: string): Promise<void> {
  const row = await instance();
  assert.deepEqual([row.status, row.workflows.length], ['ready', 2], message);
  const flows = await flowsOf(partnerId);
  const pairs = (list: readonly (readonly unknown[])[]) => list.map(String).toSorted();
  assert.deepEqual(
    pairs(flows.map((flow) => [flow.metadata?.['workflowId'], flow.id, flow.status])),
    pairs(row.workflows.map((one: Row) => [one.workflowId, one.providerFlowId, 'ENABLED'])),
    message,
  );
  assert.ok(
    flows.every((flow) => flow.publishedVersionId !== null),
    message,
  );
  const externalId = externalConnectionId(partnerId, clientId, 'twilio');
  assert.deepEqual(
    (await connectionsOf(partnerId)).map((one) => one.externalId),
    [externalId],
    message,
  );
  assert.deepEqual(await connectionRows(), [{ externalId }], message);
}

test('deprovision takes everything of the agency out of the engine, nothing of another, and keeps its agents', async () => {
  const before_ = await install();
  const rival = await post('provision', { templateNames: [KEYLESS] }, rivalPartnerId);
  await service.client.createFlow({ projectId: service.projectId, displayName: 'Untagged', metadata: {} });
  const { status, body } = await deprovision();
  assert.deepEqual([status, body.status, body.instance.status], [202, 'succeeded', 'unprovisioned'], body.instance.lastError);
  assert.deepEqual(
    body.steps.map((step: Step) => [step.name, step.status, step.summary]),
    [
      ['disable_flows', 'succeeded', '2 flows switched off'],
      ['delete_flows', 'succeeded', '2 flows deleted'],
      ['delete_connections', 'succeeded', '1 connection deleted'],
      ['delete_tenant', 'succeeded', 'Shared, nothing deleted'],
    ],
  );
  await assertGone();
  assert.deepEqual(
    body.instance.workflows.map((one: Row) => one.workflowId),
    before_.map((one) => one.workflowId),
  );
  assert.equal((await flowsOf(rivalPartnerId))[0]?.id, rival.body.instance.workflows[0].providerFlowId);
  assert.equal((await service.client.listFlows(service.projectId, 'Untagged', () => true)).length, 1);
  const mine = await service.call('GET', '/partners/me/automation', { as: 'owner' });
  assert.deepEqual(
    [mine.body.status, mine.body.errorPublic, mine.body.workflows.map((one: { installed: boolean }) => one.installed)],
    ['unprovisioned', null, [false, false]],
  );
  assert.equal((await provision()).body.status, 'succeeded', 'and can be set up anew');
  await assertWhole();
});

test('deprovision requires the slug: without it, or with another, nothing happens', async () => {
  await install();
  for (const [confirm, code] of [
    [null, 'required'],
    ['', 'required'],
    ['rival', 'mismatch'],
    ['Acme', 'mismatch'],
  ] as const) {
    const { status, body } = await deprovision(confirm);
    assert.deepEqual([status, body.code, body.errors[0].field, body.errors[0].code], [422, 'validation_failed', 'confirm', code]);
  }
  await assertWhole();
  assert.equal((await deprovision()).body.status, 'succeeded');
});

test('each request is audited under its own action, with the requester', async () => {
  await install();
  await post('reprovision');
  await post('reprovision', { mode: 'recreate' });
  await deprovision();
  const rows = await service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('auditEntry')
      .select(['action', 'actorId', 'changes'])
      .where('partnerId', '=', partnerId)
      .where('action', 'like', 'automation_instance.%')
      .orderBy('id', 'desc')
      .limit(3)
      .execute(),
  );
  assert.deepEqual(
    rows.map((row) => [row.action, (row.changes as { mode: string[] }).mode[1], row.actorId]),
    [
      ['automation_instance.deprovision_requested', 'deprovision', service.world.people.staff.userId],
      ['automation_instance.reprovision_requested', 'recreate', service.world.people.staff.userId],
      ['automation_instance.reprovision_requested', 'repair', service.world.people.staff.userId],
    ],
  );
});

test('reprovision is for a ready agency, deprovision for a ready or failed one; the refusal says what to do', async () => {
  for (const body of [{}, { mode: 'repair' }, { mode: 'recreate' }]) {
    const answer = await post('reprovision', body);
    assert.deepEqual([answer.status, answer.body.code], [409, 'invalid_state']);
    assert.match(answer.body.detail, /Use provision/);
  }
  assert.equal((await deprovision()).body.code, 'invalid_state', 'nothing to take down');
  await provision();
  assert.equal((await instance()).status, 'failed', 'for want of a key');
  assert.equal((await post('reprovision')).body.code, 'invalid_state');
  assert.equal((await deprovision()).body.status, 'succeeded', 'what a failed setup left can be taken down');
  await assertGone();
  assert.equal((await deprovision('acme', '018f0000-0000-7000-8000-000000000000')).body.code, 'not_found');
  assert.equal((await deprovision('house', service.world.housePartnerId)).body.code, 'invalid_state');
});

test('a suspended agency cannot be set up, but it can be taken down', async () => {
  await install();
  const suspend = (status: 'active' | 'suspended') =>
    service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', partnerId).execute());
  await suspend('suspended');
  try {
    assert.equal((await post('reprovision')).body.code, 'invalid_state');
    assert.equal((await deprovision()).body.status, 'succeeded');
  } finally {
    await suspend('active');
  }
});

test('recreate tears down and rebuilds: other flows, the same agents, stamped again', async () => {
  const before_ = await install();
  const old = await instance();
  const { status, body } = await post('reprovision', { mode: 'recreate' });
  assert.deepEqual([status, body.status], [202, 'succeeded'], body.instance.lastError);
  assert.deepEqual(
    body.steps.map((step: Step) => step.name),
    [...TEARDOWN_STEPS, ...PROVISION_STEPS],
  );
  await assertWhole();
  assert.deepEqual(
    body.instance.workflows.map((one: Row) => one.workflowId),
    before_.map((one) => one.workflowId),
  );
  assert.ok(body.instance.workflows.every((one: Row) => !before_.some((other) => other.providerFlowId === one.providerFlowId)));
  assert.ok(Date.parse(body.instance.provisionedAt) > Date.parse(old.provisionedAt));
});

test('recreate of some templates still builds every agent, since its teardown removes every one', async () => {
  await install();
  const { otherClientId } = service.world;
  const { body } = await post('reprovision', { mode: 'recreate', templateNames: [KEYLESS], clientId: otherClientId });
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  assert.equal(body.instance.workflows.filter((one: Row) => one.providerFlowId !== null).length, 3);
  assert.equal((await flowsOf(partnerId)).length, 3);
});

test('an agent that was never installed, for want of a key, does not block a recreate', async () => {
  await install();
  await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: 'lead-follow-up-email', providerFlowId: null }),
  );
  const { body } = await post('reprovision', { mode: 'recreate' });
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  assert.equal((await flowsOf(partnerId)).length, 2);
  const named = await post('reprovision', { mode: 'recreate', templateNames: ['lead-follow-up-email'], clientId });
  assert.equal(named.body.status, 'failed', 'named, it is meant, and its keys are asked for');
});

const nameProvider = (automationProvider: string | null) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ automationProvider }).where('id', '=', partnerId).execute());

test('recreate checks before it removes: without a key or with the engine off the agents keep running', async () => {
  await install();
  await service.db.asSystem('seed', (tx) => tx.deleteFrom('credential').execute());
  const lacking = await post('reprovision', { mode: 'recreate' });
  assert.deepEqual(
    [lacking.body.status, lacking.body.instance.errorPublic],
    ['failed', 'Could not activate: missing credential for step(s) Send text'],
  );
  assert.deepEqual(
    lacking.body.steps.slice(0, 2).map((step: Step) => step.status),
    ['failed', 'skipped'],
  );
  assert.ok((await flowsOf(partnerId)).every((flow) => flow.status === 'ENABLED'));
  await service.saveKey('twilio');
  assert.equal((await provision()).body.status, 'succeeded');
  service.settings.engineEnabled = false;
  assert.equal((await post('reprovision', { mode: 'recreate' })).body.status, 'failed');
  assert.equal((await flowsOf(partnerId)).filter((flow) => flow.status === 'ENABLED').length, 2);
  service.settings.engineEnabled = true;
  assert.equal((await provision()).body.status, 'succeeded');
  await nameProvider('another');
  assert.equal((await post('reprovision', { mode: 'recreate' })).body.status, 'failed');
  assert.equal((await flowsOf(partnerId)).filter((flow) => flow.status === 'ENABLED').length, 2, 'an unknown engine');
  await nameProvider(null);
  service.settings.engineEnabled = false;
  assert.equal((await deprovision()).body.status, 'succeeded', 'taking down is possible with the switch off');
});

/** What would have failed after the teardown: each is found before the first removal. */
const OBSTACLES: { [what: string]: { arrange: () => Promise<void> | void; internal: RegExp } } = {
  'its own project, which the plan of the engine does not allow': {
    arrange: async () => {
      service.settings.tenancyMode = 'project';
      await service.client.createProject({ displayName: 'Takes the one place' });
    },
    internal: /plan allows no more/,
  },
  'the shared project, which the engine does not have': {
    arrange: () => void (service.settings.engineProjectId = () => 'A0000000000000000000A'),
    internal: /has no project "A0000000000000000000A"/,
  },
  'a worker of the engine': {
    arrange: () => {
      service.settings.embedded = false;
      service.wire.around = (call, send) =>
        call.method === 'POST' && String(call.body ?? '').includes('portal_worker_check')
          ? Promise.reject(new OutboundError('timeout', true))
          : send(call);
    },
    internal: /No worker of the engine answered/,
  },
  'a value of its key': {
    arrange: () =>
      service.db.asSystem('seed', async (tx) => {
        await tx.updateTable('credential').set({ sealed: null }).where('provider', '=', 'twilio').execute();
      }),
    internal: /missing credential for step.*no usable key/,
  },
  'a key that can be opened': {
    arrange: () =>
      service.db.asSystem('seed', async (tx) => {
        await tx
          .updateTable('credential')
          .set({ sealed: Buffer.alloc(60, 7) })
          .where('provider', '=', 'twilio')
          .execute();
      }),
    internal: /SealFault/,
  },
};

for (const [what, { arrange, internal }] of Object.entries(OBSTACLES)) {
  test(`recreate removes nothing while it lacks ${what}`, async () => {
    await install();
    const flows = (await flowsOf(partnerId)).map((flow) => `${flow.id} ${flow.status}`).toSorted();
    const connections = await connectionsOf(partnerId);
    await arrange();
    const { body } = await post('reprovision', { mode: 'recreate' });
    service.wire.around = undefined;
    assert.deepEqual([body.status, body.instance.status], ['failed', 'failed']);
    assert.match(body.instance.lastError, internal);
    assert.doesNotMatch(body.instance.errorPublic, /taken down/);
    assert.deepEqual(
      body.steps.slice(0, 2).map((step: Step) => step.status),
      ['failed', 'skipped'],
    );
    assert.deepEqual((await flowsOf(partnerId)).map((flow) => `${flow.id} ${flow.status}`).toSorted(), flows);
    assert.deepEqual(await connectionsOf(partnerId), connections);
  });
}

test('a recreate that fails between two agents says to their owner that those taken down do not run', async () => {
  await install();
  let calls = 0;
  service.wire.around = (call, send) =>
    String(call.body).includes('DISABLED') && (calls += 1) > 1 ? Promise.reject(new OutboundError('timeout', true)) : send(call);
  const { body } = await MODES.recreate();
  service.wire.around = undefined;
  assert.equal(body.status, 'failed');
  assert.match(body.instance.errorPublic, / The agents that were taken down do not run until they are installed again\.$/);
});

for (const mode of ['recreate', 'deprovision'] as const) {
  test(`a ${mode} that fails after it took agents down says to their owner that they do not run`, async () => {
    await install();
    const fatal = mode === 'recreate' ? 'POST' : 'DELETE';
    let isTakenDown = false;
    service.wire.around = (call, send) => {
      const isFlow = new URL(call.url).pathname.includes('/flows');
      isTakenDown ||= isFlow && call.method === 'DELETE';
      return isTakenDown && call.method === fatal ? Promise.reject(new OutboundError('timeout', true)) : send(call);
    };
    const { body } = await MODES[mode]();
    service.wire.around = undefined;
    assert.deepEqual([body.status, body.instance.status], ['failed', 'failed']);
    const mine = await service.call('GET', '/partners/me/automation', { as: 'owner' });
    assert.equal(
      mine.body.errorPublic,
      'The automation platform did not answer. Please try again in a few minutes. The agents that were taken down do not run until they are installed again.',
    );
  });
}

test('recreate moves a shared agency into a project of its own where the engine has a place, and a later deprovision frees it', async () => {
  await install();
  service.settings.tenancyMode = 'project';
  const { body } = await post('reprovision', { mode: 'recreate' });
  assert.deepEqual([body.status, body.instance.tenancyMode], ['succeeded', 'project'], body.instance.lastError);
  const own = (await service.client.listProjects()).map((project) => project.id).filter((id) => id !== service.projectId);
  assert.deepEqual(own, [body.instance.projectId]);
  assert.deepEqual([(await flowsOf(partnerId)).length, (await flowsOf(partnerId, own[0])).length], [0, 2]);
  assert.equal((await deprovision()).body.status, 'succeeded');
  assert.equal((await service.client.listProjects()).length, 1);
});

test('a project made for a recreate that failed is removed by the deprovision that follows', async () => {
  await install();
  service.settings.tenancyMode = 'project';
  service.wire.around = (call, send) =>
    call.method === 'DELETE' ? Promise.reject(new OutboundError('connection_refused', false)) : send(call);
  assert.equal((await post('reprovision', { mode: 'recreate' })).body.status, 'failed');
  service.wire.around = undefined;
  assert.equal((await service.client.listProjects()).length, 2);
  assert.equal((await deprovision()).body.status, 'succeeded');
  await assertGone();
  assert.equal((await service.client.listProjects()).length, 1);
});

test('repair installs a new agent of a ready agency and agents without a flow; provisionedAt stays', async () => {
  const first = await install();
  const { otherClientId } = service.world;
  const stamped = (await instance()).provisionedAt;
  const added = await post('reprovision', { templateNames: [KEYLESS], clientId: otherClientId });
  assert.deepEqual([added.status, added.body.status, added.body.instance.workflows.length], [202, 'succeeded', 3]);
  await service.client.deleteFlow(first[0]?.providerFlowId ?? '');
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('workflow')
      .set({ providerFlowId: null, templateVersion: null })
      .where('id', '=', first[0]?.workflowId ?? '')
      .execute(),
  );
  const all = await post('reprovision', { mode: 'repair' });
  assert.deepEqual([all.body.status, all.body.instance.provisionedAt], ['succeeded', stamped], all.body.instance.lastError);
  assert.ok(all.body.instance.workflows.every((one: Row) => one.providerFlowId !== null));
  assert.equal((await flowsOf(partnerId)).length, 3);
});

test('repair without names mends what is installed; an agent that was never installed, for want of a key, does not block it', async () => {
  await install();
  const { otherClientId } = service.world;
  const add = (templateName: string) =>
    service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId: otherClientId, templateName, providerFlowId: null }));
  const [waiting, ready] = [await add('daily-sql-report'), await add(KEYLESS)];
  const { body } = await post('reprovision', { mode: 'repair' });
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  const installed = (id: string) => body.instance.workflows.some((one: Row) => one.workflowId === id && one.providerFlowId !== null);
  assert.deepEqual([installed(waiting), installed(ready)], [false, true], 'what lacks nothing is installed');
  const named = await post('reprovision', { templateNames: ['daily-sql-report'] });
  assert.equal(named.body.status, 'failed', 'named, it is meant, and its keys are asked for');
});

/** Someone writes to a connection in the engine, so that a repair has something to write. */
async function changeByHand(): Promise<void> {
  const { client, projectId } = service;
  const [held] = await client.listConnections(projectId);
  assert.ok(held);
  const props = { apiKey: 'another', baseUrl: 'http://127.0.0.1:9' };
  await client.upsertConnection({ projectId, externalId: held.externalId, displayName: 'Changed by hand', props });
}

const FAILING: { [what: string]: (send: () => Promise<unknown>) => Promise<never> } = {
  'is refused': () => Promise.reject(new OutboundError('connection_refused', false)),
  'loses its answer': async (send) => (await send(), Promise.reject(new OutboundError('timeout', true))),
};

for (const [what, fail] of Object.entries(FAILING)) {
  test(`a repair in which a call ${what} leaves the agents running, says so to their owner, and may be repeated`, async () => {
    await install();
    const stamped = (await instance()).provisionedAt;
    for (const _attempt of [1, 2]) {
      await changeByHand();
      service.wire.around = (call, send) =>
        call.method === 'POST' && call.url.includes('/app-connections') ? fail(() => send(call)) : send(call);
      const { status, body } = await post('reprovision');
      service.wire.around = undefined;
      assert.deepEqual([status, body.status, body.instance.status, body.instance.canRepair], [202, 'failed', 'failed', true]);
      assert.ok((await flowsOf(partnerId)).every((flow) => flow.status === 'ENABLED'));
    }
    const mine = await service.call('GET', '/partners/me/automation', { as: 'owner' });
    assert.deepEqual([mine.body.status, mine.body.attempt.mode], ['failed', 'repair']);
    assert.match(mine.body.errorPublic, / The repair itself stopped nothing\.$/);
    const again = await post('reprovision');
    assert.deepEqual([again.body.status, again.body.instance.status, again.body.instance.provisionedAt], ['succeeded', 'ready', stamped]);
    await assertWhole();
  });
}

test('after a failed repair no text for the owner says that the setup is not complete', async () => {
  await install();
  const text = JSON.stringify({ code: 'INVALID_CREDENTIALS', params: null });
  service.wire.around = () => Promise.resolve({ status: 401, headers: { 'content-type': 'application/json' }, text });
  const { body } = await post('reprovision');
  service.wire.around = undefined;
  assert.equal(body.status, 'failed');
  assert.equal(
    body.instance.errorPublic,
    'The automation platform refused this change. Please contact support. The repair itself stopped nothing.',
  );
});

test('a repair that timed out may be repeated; one after a provision or recreate that failed is refused', async () => {
  await install();
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  service.wire.around = async (call, send) => (reached.resolve(), await gate.promise, send(call));
  const late = post('reprovision');
  await reached.promise;
  await reap();
  service.wire.around = undefined;
  gate.resolve();
  assert.equal((await late).body.status, 'timed_out');
  assert.equal((await post('reprovision')).body.status, 'succeeded');
  service.settings.engineEnabled = false;
  assert.equal((await post('reprovision', { mode: 'recreate' })).body.instance.canRepair, false);
  service.settings.engineEnabled = true;
  const refused = await post('reprovision');
  assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
  assert.match(refused.body.detail, /Use provision/);
  assert.equal((await provision()).body.status, 'succeeded');
});

test('repair replaces stored copies; with refreshTemplates false only those that the catalog has outgrown', async () => {
  await install();
  const copiedAt = async (): Promise<(string | undefined)[]> => {
    const rows = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('templateCopy').select('copiedAt').where('partnerId', '=', partnerId).orderBy('templateName').execute(),
    );
    return rows.map((row) => row.copiedAt.toISOString());
  };
  const first = await copiedAt();
  assert.equal((await post('reprovision', { refreshTemplates: false })).body.status, 'succeeded');
  assert.deepEqual(await copiedAt(), first, 'kept');
  const index = service.catalog.findIndex((bundle) => bundle.template.name === KEYLESS);
  const [original] = service.catalog.slice(index, index + 1);
  assert.ok(original);
  service.catalog[index] = { ...original, template: { ...original.template, templateVersion: original.template.templateVersion + 1 } };
  const newer = await post('reprovision', { refreshTemplates: false });
  service.catalog[index] = original;
  assert.equal(newer.body.status, 'succeeded', newer.body.instance.lastError);
  const second = await copiedAt();
  assert.deepEqual([second[0] === first[0], second[1] === first[1]], [false, true], 'only the outgrown one');
  assert.equal((await post('reprovision')).body.status, 'succeeded');
  assert.ok(
    (await copiedAt()).every((at, order) => at !== second[order]),
    'both, when nothing is said',
  );
});

test('a newer version of a template brings what a run costs with it; an agent that keeps its copy keeps its price', async () => {
  await install();
  const costs = async (): Promise<number[]> =>
    (
      await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('workflow').select('creditsPerRun').where('partnerId', '=', partnerId).where('templateName', '=', KEYLESS).execute(),
      )
    ).map((row) => row.creditsPerRun);
  const index = service.catalog.findIndex((bundle) => bundle.template.name === KEYLESS);
  const [original] = service.catalog.slice(index, index + 1);
  assert.ok(original);
  const { templateVersion, creditsPerRun } = original.template;
  const before = await costs();
  assert.deepEqual(new Set(before), new Set([creditsPerRun]));
  service.catalog[index] = { ...original, template: { ...original.template, creditsPerRun: creditsPerRun + 2 } };
  assert.equal((await post('reprovision', { refreshTemplates: false })).body.status, 'succeeded');
  assert.deepEqual(await costs(), before, 'of the copy, which is as new as the catalog');
  service.catalog[index] = {
    ...original,
    template: { ...original.template, templateVersion: templateVersion + 1, creditsPerRun: creditsPerRun + 2 },
  };
  assert.equal((await post('reprovision', { refreshTemplates: false })).body.status, 'succeeded');
  service.catalog[index] = original;
  assert.deepEqual(new Set(await costs()), new Set([creditsPerRun + 2]));
});

test('project tenancy deletes the agency its own project, and never the shared one', async () => {
  service.settings.tenancyMode = 'project';
  await service.saveKey('twilio');
  const own = (await provision()).body.instance.projectId;
  assert.notEqual(own, service.projectId);
  const { body } = await deprovision();
  assert.equal(body.steps.at(-1).summary, 'Own project deleted', body.instance.lastError);
  await assertGone();
  assert.deepEqual(
    (await service.client.listProjects()).map((project) => project.id),
    [service.projectId],
  );
  service.settings.tenancyMode = 'shared';
  assert.equal((await provision()).body.status, 'succeeded');
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ tenancyMode: 'project' }).execute());
  assert.equal((await deprovision()).body.steps.at(-1).summary, 'Own project was gone', 'recorded wrongly, yet not deleted');
  await assertGone();
  assert.equal((await service.client.listProjects()).length, 1);
});

test('a flow that says it is another agency’s is left alone, although it is recorded as ours', async () => {
  await install();
  const rival = await post('provision', { templateNames: [KEYLESS] }, rivalPartnerId);
  const foreign: string = rival.body.instance.workflows[0].providerFlowId;
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('workflow')
      .set({ providerFlowId: foreign })
      .where('partnerId', '=', partnerId)
      .where('templateName', '=', KEYLESS)
      .execute(),
  );
  assert.equal((await deprovision()).body.status, 'succeeded');
  await assertGone();
  assert.equal((await service.client.getFlow(foreign))?.status, 'ENABLED');
});

const DEADLY = {
  'is refused': async () => Promise.reject(new OutboundError('connection_refused', false)),
  'loses its answer': async (send: () => Promise<unknown>) => (await send(), Promise.reject(new OutboundError('timeout', true))),
} as const;

// By default each engine call of a deprovision meets one of the four faults: the n-th fault begins at call n and skips three. In a recreate every second
// call does: it is a deprovision and a provision, whose calls pipeline.test.ts disturbs. TEST_FULL lets every call meet each.
const STRIDES = isFull ? { deprovision: 1, recreate: 1 } : { deprovision: 4, recreate: 8 };

for (const mode of ['deprovision', 'recreate'] as const) {
  const [ask, stride] = [MODES[mode], STRIDES[mode]];
  for (const [offset, [what, deadly]] of Object.entries(DEADLY).entries()) {
    test(`whichever engine call of a ${mode} ${what}, the next attempts succeed`, async () => {
      await install();
      let fatal = isFull ? 1 : 1 + offset * (stride / 4);
      for (let isDone = false; !isDone; fatal += stride) {
        let calls = 0;
        service.wire.around = (call, send) => (++calls === fatal ? deadly(() => send(call)) : send(call));
        const { status, body } = await ask();
        service.wire.around = undefined;
        isDone = calls < fatal;
        assert.deepEqual([status, body.status], [202, isDone ? 'succeeded' : 'failed'], `call ${fatal}: ${body.instance.lastError}`);
        if (!isDone) {
          assert.equal(body.instance.status, 'failed');
          assert.ok(!/127\.0\.0\.1|engine|timeout:/i.test(body.instance.errorPublic), body.instance.errorPublic);
        }
        await settle(body.instance.status, Math.floor(fatal / stride));
        await assertWhole(`after call ${fatal}`);
      }
      assert.ok(fatal > 8, `${fatal - 1} calls`);
    });
  }

  for (const [what, isSent, offset] of [
    ['before', false, 2],
    ['after', true, 3],
  ] as const) {
    test(`a ${mode} that hangs ${what} any engine call is reaped, the next attempts succeed, and late writes have no effect`, async () => {
      await install();
      let fatal = isFull ? 1 : 1 + offset * (stride / 4);
      for (let done = false; !done; fatal += stride) {
        const reached = Promise.withResolvers<void>();
        const gate = Promise.withResolvers<void>();
        let calls = 0;
        service.wire.around = async (call, send) => {
          if (++calls !== fatal) return send(call);
          const answer = isSent ? await send(call) : undefined;
          reached.resolve();
          await gate.promise;
          return answer ?? Promise.reject(new OutboundError('timeout', true));
        };
        const running = ask();
        await Promise.race([reached.promise, running]);
        service.wire.around = undefined;
        done = calls < fatal;
        if (!done) await reap();
        gate.resolve();
        assert.equal((await running).body.status, done ? 'succeeded' : 'timed_out');
        assert.equal((await instance()).status === 'failed', !done, 'what came late changed nothing');
        await settle((await instance()).status, Math.floor(fatal / stride));
        await assertWhole(`after call ${fatal}`);
      }
      assert.ok(fatal > 8, `${fatal - 1} calls`);
    });
  }
}

for (const [what, deadly] of Object.entries(DEADLY)) {
  test(`whichever call about its own project ${what}, a recreate is followed by an attempt that ends with one project and its agents in it`, async () => {
    service.settings.tenancyMode = 'project';
    await install();
    for (const method of ['DELETE', 'POST']) {
      service.wire.around = (call, send) =>
        call.method === method && new URL(call.url).pathname.includes('/projects') ? deadly(() => send(call)) : send(call);
      const { body } = await post('reprovision', { mode: 'recreate' });
      service.wire.around = undefined;
      assert.deepEqual([body.status, body.instance.status], ['failed', 'failed'], method);
      const next = await provision();
      assert.equal(next.body.status, 'succeeded', `${method}: ${next.body.instance.lastError}`);
      const own = (await service.client.listProjects()).map((project) => project.id).filter((id) => id !== service.projectId);
      assert.deepEqual(own, [next.body.instance.projectId], method);
      assert.equal((await flowsOf(partnerId, own[0])).length, 2, method);
    }
  });
}

async function reap(): Promise<void> {
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('automationInstance')
      .set({ dueAt: new Date(Date.now() - 1000) })
      .execute(),
  );
  assert.equal(await reapOverdueAttempts(service), 1);
  const row = await instance();
  assert.deepEqual([row.status, row.errorPublic], ['failed', 'Setup stopped because it took too long. Please try again.']);
}

/** Brings the agency back to ready: half of the times what is left is taken down first. */
async function settle(status: string, turn: number): Promise<void> {
  if (status === 'failed' && turn % 2 === 1) {
    const { body } = await deprovision();
    assert.equal(body.status, 'succeeded', `call ${turn}: ${body.instance.lastError}`);
    await assertGone();
  }
  if (status === 'ready') return;
  const { body } = await provision();
  assert.equal(body.status, 'succeeded', `call ${turn}: ${body.instance.lastError}`);
}

test('while a teardown runs, every other request is refused and the teardown goes on', async () => {
  await install();
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  service.wire.around = async (call, send) => {
    reached.resolve();
    await gate.promise;
    return send(call);
  };
  const running = deprovision();
  await reached.promise;
  assert.equal((await instance()).status, 'deprovisioning');
  for (const refused of [
    await provision(),
    await post('reprovision'),
    await post('reprovision', { mode: 'recreate' }),
    await deprovision(),
  ])
    assert.deepEqual([refused.status, refused.body.code], [409, 'provision_in_progress']);
  gate.resolve();
  assert.equal((await running).body.status, 'succeeded');
  await assertGone();
});

test('recreate loses no event and no result: events wait until their agent is installed again, and runs under way end before their flow is deleted', async () => {
  const { body: made } = await post('provision', { templateNames: [KEYLESS], clientId });
  assert.equal(made.status, 'succeeded', made.instance.lastError);
  const id: string = made.instance.workflows[0].workflowId;
  const send = async (): Promise<string> => {
    const token = ingestToken(service.callbackSecret.reveal(), id);
    const payload = { name: 'Ada Byron', email: 'ada@example.com', message: 'Hi' };
    const { status, body } = await service.call('POST', `/webhooks/agents/${id}?token=${token}`, { body: { payload } });
    assert.equal(status, 202, body.detail);
    return body.executionId;
  };
  const { dispatcher } = service.executions;
  const stateOf = async (run: string) => (await service.call('GET', `/executions/${run}`, { as: 'owner' })).body.status;
  const earlier = await send();
  assert.equal(await dispatcher.runOnce(), 1);

  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.wire.around = async (call, forward) => {
    if (call.body?.includes('LOCK_AND_PUBLISH')) {
      reached.resolve();
      await released.promise;
    }
    return forward(call);
  };
  const again = post('reprovision', { mode: 'recreate' });
  await reached.promise;
  const ended = await stateOf(earlier);
  const run = await send();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await service.database.query("update dispatch set due_at = now() - interval '1 second'");
    await dispatcher.runOnce();
  }
  const waiting = await stateOf(run);
  released.resolve();
  assert.equal((await again).body.status, 'succeeded');
  assert.deepEqual([ended, waiting], ['SUCCEEDED', 'RUNNING']);
  await service.database.query("update dispatch set due_at = now() - interval '1 second'");
  await dispatcher.runOnce();
  assert.deepEqual(await service.database.query('select execution_id from under_way'), [{ execution_id: run }]);
});
