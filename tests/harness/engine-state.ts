import assert from 'node:assert/strict';
import { externalConnectionId } from '@partner-portal/core/template/template.ts';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { ProvisioningService } from './provisioning.ts';

/** An engine without flows, connections and projects of anybody, and an agency that never was set up. */
export async function clearEngine(service: ProvisioningService): Promise<void> {
  await service.forget();
  const { client, projectId } = service;
  for (const { id } of await client.listFlows(projectId, '', () => true)) await client.deleteFlow(id);
  for (const { id } of await client.listConnections(projectId)) await client.deleteConnection(id);
  for (const { id } of await client.listProjects()) if (id !== projectId) await client.deleteProject(id);
}

/** The agency is ready: the shared project holds exactly one published flow per agent of its and one connection per need, and nothing else. */
export async function assertInstalled(
  service: ProvisioningService,
  needs: readonly { clientId: string; provider: Provider }[],
  message: string,
): Promise<void> {
  const { partnerId } = service.world;
  const row = (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body;
  assert.deepEqual([row.status, row.lastError, row.errorPublic], ['ready', null, null], message);
  const flows = await service.client.listFlows(service.projectId, '', () => true);
  assert.deepEqual(
    flows.map((flow) => [flow.id, flow.metadata?.['workflowId'], flow.status].join()).toSorted(),
    row.workflows
      .map((one: { providerFlowId: string; workflowId: string }) => [one.providerFlowId, one.workflowId, 'ENABLED'].join())
      .toSorted(),
    message,
  );
  const connections = await service.client.listConnections(service.projectId);
  assert.deepEqual(
    connections.map((one) => one.externalId),
    needs.map((need) => externalConnectionId(partnerId, need.clientId, need.provider)),
    message,
  );
}
