import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { connectionPrefix } from '@partner-portal/core/template/template.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { assertPurged, makeDue, runPurges, stateOf } from '@partner-portal/tests/harness/purge.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';

/** Accounts with agents in a real engine. */

let service: ProvisioningService;
before(async () => {
  service = await startProvisioningService();
});
after(() => service?.close());

const AGENT = 'missed-call-text-back';
const flowsOf = (id: string) => service.client.listFlows(service.projectId, '', (tag) => tag['partnerId'] === id);
const connectionsOf = async (id: string) =>
  (await service.client.listConnections(service.projectId)).filter((one) => one.externalId.startsWith(connectionPrefix(id)));
const dueNow = (id: string) =>
  service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('purge')
      .set({ dueAt: new Date(0) })
      .where('deletionRequestId', '=', id)
      .execute(),
  );

async function install(clientId: string): Promise<void> {
  const { partnerId } = service.world;
  const body = { templateNames: [AGENT], clientId };
  const path =
    (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body.status === 'ready' ? 'reprovision' : 'provision';
  const made = await service.call('POST', `/partners/${partnerId}/automation/${path}`, { as: 'staff', body });
  assert.equal(made.body.status, 'succeeded', made.text);
}

it('the purge of a client takes its flows and connections, and leaves those of the others', async () => {
  const { partnerId, clientId, otherClientId } = service.world;
  for (const id of [clientId, otherClientId]) {
    await service.saveKey('twilio', { clientId: id });
    await install(id);
  }
  assert.deepEqual([(await flowsOf(partnerId)).length, (await connectionsOf(partnerId)).length], [2, 2]);
  const requestId = await makeDue(service, partnerId, clientId);
  await runPurges(service);
  await assertPurged(service, requestId);
  const [left] = await flowsOf(partnerId);
  assert.equal(left?.metadata?.['clientId'], otherClientId);
  assert.equal((await connectionsOf(partnerId)).length, 1);
  assert.equal((await service.call('GET', '/agents', { as: 'otherClientUser' })).status, 200);
});

it('a purge waits while the engine is away, says so, and goes on when it is back', async () => {
  const { partnerId } = service.world;
  const requestId = await makeDue(service, partnerId, null);
  service.wire.around = async () => Promise.reject(new OutboundError('connection_refused', false));
  for (const [tries, waitMs] of [
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
  ] as const) {
    const before = Date.now();
    await runPurges(service);
    const { purge, steps } = await stateOf(service, requestId);
    assert.deepEqual([purge?.status, purge?.waitingFor, steps[0]?.status, steps[0]?.tries], ['waiting', 'engine', 'waiting', tries]);
    assert.match(steps[0]?.problem ?? '', /connection|reach/i);
    const due = (purge?.dueAt?.getTime() ?? 0) - waitMs;
    // A clock may be set back by some milliseconds meanwhile.
    assert.ok(due >= before - 1_000 && due <= Date.now() + 1_000, `due in ${due - before} ms more than ${waitMs}`);
    await dueNow(requestId);
  }
  const shown = await service.call('GET', `/account-deletion/${requestId}/purge`, { as: 'staff' });
  assert.deepEqual([shown.body.status, shown.body.waitingFor], ['waiting', 'engine']);
  service.wire.around = undefined;
  assert.equal((await flowsOf(partnerId)).length, 1);
  await runPurges(service);
  await assertPurged(service, requestId);
  assert.deepEqual([await flowsOf(partnerId), await connectionsOf(partnerId)], [[], []]);
});
