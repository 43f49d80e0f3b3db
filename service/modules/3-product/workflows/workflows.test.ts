import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
});
after(() => service.close());

const ids = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map((row) => row.id);

describe('a workflow', () => {
  it('is shown with its definition: engine ids to staff only, labels only to its client', async () => {
    const asStaff = (await service.call('GET', `/workflows/${workflowId}`, { as: 'staff' })).body;
    const asOwner = (await service.call('GET', `/workflows/${workflowId}`, { as: 'owner' })).body;
    const asClient = (await service.call('GET', `/workflows/${workflowId}`, { as: 'clientUser' })).body;
    assert.match(asStaff.providerFlowId, /^flow-/);
    assert.ok(!('providerFlowId' in asOwner) && !('providerFlowId' in asClient));
    assert.deepEqual(asOwner.definition.trigger.keys, ['callerNumber', 'businessNumber']);
    assert.deepEqual(
      asClient.definition.steps.map((step: { label: string; provider: null; reads: [] }) => [step.label, step.provider, step.reads]),
      [
        ['Check hours and repeats', null, []],
        ['Send text', null, []],
        ['Report', null, []],
      ],
    );
    await service.assertRefused('GET', `/workflows/${workflowId}`, { rivalOwner: 'not_found', otherClientUser: 'not_found' });
    assert.deepEqual(ids(await service.call('GET', '/workflows', { as: 'clientUser' })), [workflowId]);
    assert.equal((await service.call('GET', `/workflows?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
  });

  it('shows its ingest URL to the partner and audits the read', async () => {
    const reply = await service.call('GET', `/workflows/${workflowId}/ingest-url`, { as: 'moderator' });
    assert.deepEqual([reply.body.workflowId, reply.body.method], [workflowId, 'POST']);
    const url = new URL(reply.body.url);
    assert.equal((await service.call('POST', url.pathname + url.search, { body: CALL })).status, 202);
    assert.equal(
      (await service.query(`select 1 from audit_entry where action = 'workflow.ingest_url_read' and target_id = $1`, [workflowId])).length,
      1,
    );
    await service.assertRefused('GET', `/workflows/${workflowId}/ingest-url`, { clientUser: 'role_forbidden', rivalOwner: 'not_found' });
  });
});
