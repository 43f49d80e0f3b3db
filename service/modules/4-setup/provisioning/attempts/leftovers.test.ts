import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { connectionPrefix, externalConnectionId } from '@partner-portal/core/template/template.ts';
import { assertInstalled, clearEngine } from '@partner-portal/tests/harness/engine-state.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';

/** Leftovers of a crash, another setting or a person in the engine: the next attempt reduces them to one of everything. */

const REFUSED = 'The automation platform refused a part of the setup. Please try again, or contact support.';

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
  service.settings.tenancyMode = 'shared';
  await clearEngine(service);
  await service.saveKey('twilio');
});

const post = (what: string, body: object = {}) => service.call('POST', `/partners/${partnerId}/automation/${what}`, { as: 'staff', body });
const provision = () => post('provision', { templateNames: ['missed-call-text-back', 'lead-intake-cleaner'], clientId });
const repair = () => post('reprovision', { mode: 'repair' });

type Row = { workflowId: string; providerFlowId: string };
type Body = { steps: { name: string; warnings: string[] }[] };
const warningsOf = (body: Body, name: string): string[] => body.steps.find((one) => one.name === name)?.warnings ?? [];
const assertInstalledOnce = (message: string) => assertInstalled(service, [{ clientId, provider: 'twilio' }], message);
const empty = async () => ({ status: 200, headers: {}, text: '{"data":[],"next":null,"previous":null}' });

test('a deleted project of its own fails a repair with a safe message; provision recreates it and its flows', async () => {
  service.settings.tenancyMode = 'project';
  const own: string = (await provision()).body.instance.projectId;
  await service.client.deleteProject(own);
  const { body } = await repair();
  assert.deepEqual([body.status, body.instance.errorPublic], ['failed', `${REFUSED} The repair itself stopped nothing.`]);
  assert.match(body.instance.lastError, /not_found: .*404 ENTITY_NOT_FOUND/);
  const again = await provision();
  assert.deepEqual([again.body.status, again.body.instance.projectId === own], ['succeeded', false], again.body.instance.lastError);
  assert.equal((await service.client.listFlows(again.body.instance.projectId, '', () => true)).length, 2);
});

test('flows of a project that is the agency’s no more are made in the new one and removed from the old', async () => {
  assert.equal((await provision()).body.status, 'succeeded');
  service.settings.tenancyMode = 'project';
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'failed' }).execute());
  const { body } = await provision();
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  const flows = await service.client.listFlows(body.instance.projectId, '', () => true);
  assert.deepEqual(flows.map((flow) => flow.id).toSorted(), body.instance.workflows.map((one: Row) => one.providerFlowId).toSorted());
  assert.deepEqual(await service.client.listFlows(service.projectId, '', () => true), []);
});

/** Simulates a crash that lost the answer of a create: another flow with the agent's tag. */
async function addTwin({ workflowId }: Row, enabled = false): Promise<string> {
  const metadata = { workflowId, partnerId };
  const { id } = await service.client.createFlow({ projectId: service.projectId, displayName: `twin · ${workflowId}`, metadata });
  if (enabled) await service.client.importFlow(id, await anyFlow(workflowId));
  if (enabled) await service.client.publish(id);
  return id;
}
async function anyFlow(workflowId: string) {
  const lastUpdatedDate = new Date().toISOString();
  const { webhook } = await service.client.pieceVersions();
  const settings = {
    pieceName: '@activepieces/piece-webhook',
    pieceVersion: webhook,
    triggerName: 'catch_webhook',
    input: { authType: 'none' },
    propertySettings: {},
  };
  const trigger = {
    type: 'PIECE_TRIGGER' as const,
    name: 'trigger',
    displayName: 'Event',
    valid: true as const,
    lastUpdatedDate,
    settings,
  };
  return { displayName: `twin · ${workflowId}`, schemaVersion: '20' as const, trigger };
}
const forgetFlow = (workflowId: string) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('workflow').set({ providerFlowId: null }).where('id', '=', workflowId).execute());

test('flows of ours that a crash left behind twice come down to one: the recorded, else the one that is on', async () => {
  const [first, second] = (await provision()).body.instance.workflows as [Row, Row];
  await addTwin(first, true);
  await addTwin(first);
  // No flow is recorded for the second agent, so the one that runs is the one to keep.
  await addTwin(second);
  await forgetFlow(second.workflowId);
  const { body } = await repair();
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  assert.equal(warningsOf(body, 'update_flows').filter((one) => one.startsWith('The engine contained an extra flow of')).length, 3);
  await assertInstalledOnce('after the repair');
  assert.deepEqual(
    body.instance.workflows.map((one: Row) => one.providerFlowId),
    [first.providerFlowId, second.providerFlowId],
  );
});

test('an empty list where our flow is makes a second one, and the next attempt is down to one', async () => {
  const { body } = await provision();
  for (const { workflowId } of body.instance.workflows as Row[]) await forgetFlow(workflowId);
  service.wire.around = (call, send) => (/\/(flows|app-connections)\?/.test(call.url) ? empty() : send(call));
  assert.equal((await repair()).body.status, 'succeeded');
  service.wire.around = undefined;
  assert.equal((await service.client.listFlows(service.projectId, '', () => true)).length, 4);
  assert.equal((await repair()).body.status, 'succeeded');
  await assertInstalledOnce('after the next repair');
});

test('a flow that is recorded as ours and tagged as another agency’s is not touched: the agent gets one of its own', async () => {
  const [first] = (await provision()).body.instance.workflows as Row[];
  assert.ok(first);
  const foreign = { workflowId: service.world.rivalClientId, partnerId: service.world.rivalPartnerId };
  await service.client.setMetadata(first.providerFlowId, foreign);
  const before_ = await service.client.getFlow(first.providerFlowId);
  const { body } = await repair();
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  const after_ = await service.client.getFlow(first.providerFlowId);
  assert.deepEqual([after_?.metadata, after_?.version.id], [before_?.metadata, before_?.version.id]);
  assert.notEqual(body.instance.workflows.find((one: Row) => one.workflowId === first.workflowId).providerFlowId, first.providerFlowId);
});

test('a connection that the engine holds twice is down to the one that was written, and a stranger’s stays', async () => {
  const externalId = externalConnectionId(partnerId, clientId, 'twilio');
  const strange = { projectId: service.projectId, externalId: 'p1_other', displayName: `about ${connectionPrefix(partnerId)}`, props: {} };
  await service.client.upsertConnection(strange);
  const deleted: string[] = [];
  // The embedded engine keeps one of each name; the real one was seen to keep two (engine API, §0.8).
  service.wire.around = async (call, send) => {
    if (call.method === 'DELETE') deleted.push(call.url.split('/').at(-1) ?? '');
    if (call.method === 'DELETE') return { status: 204, headers: {}, text: '' };
    const answer = await send(call);
    if (call.method !== 'GET' || !call.url.includes('/app-connections?')) return answer;
    const page = JSON.parse(answer.text) as { data: { id: string; externalId: string }[] }; // the engine's own page
    const twins = page.data.filter((one) => one.externalId === externalId).map((one) => ({ ...one, id: 'twinOfTheConnection00' }));
    return { ...answer, text: JSON.stringify({ ...page, data: [...twins, ...page.data] }) };
  };
  const { body } = await provision();
  service.wire.around = undefined;
  assert.equal(body.status, 'succeeded', body.instance.lastError);
  assert.deepEqual(deleted, ['twinOfTheConnection00']);
  assert.deepEqual(warningsOf(body, 'bind_credentials'), [`The connection ${externalId} was in the engine twice. One was removed.`]);
});
