import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { DEMO, ingestUrl, postJson, type Workspace } from '@house/service/quick-start/seed-workspace.ts';
import { seedDemo, startSystem, type System, until } from '../harness/system.ts';

// An agency is taken out of the engine and set up again: the URL its customers post to stays the same throughout.

let system: System;
let workspace: Workspace;

before(async () => {
  system = await startSystem();
  workspace = await seedDemo(system);
});
after(() => system?.stop());

it('an agent refuses events after deprovision, and answers at the same URL when it is installed again', async () => {
  const { admin, owner, workflowIds } = workspace;
  const workflowId = workflowIds['missed-call-text-back'] ?? '';
  const url = await ingestUrl(owner, workflowId);
  const partner = (await admin.listPartners({ query: {} })).data.find((one) => one.slug === DEMO.partner.slug);
  assert.ok(partner);
  const params = { id: partner.id };
  const event = { callerNumber: '+13125550177', businessNumber: DEMO.businessNumber };

  const down = await admin.deprovision({ params, query: { confirm: partner.slug } });
  assert.deepEqual([down.status, down.instance.status], ['succeeded', 'unprovisioned'], down.instance.lastError ?? '');
  const refused = await postJson(url, event);
  const problem = (await refused.json()) as { code: string }; // the contract's refusal
  assert.deepEqual([refused.status, problem.code], [409, 'workflow_inactive']);

  const up = await admin.provision({ params, body: { templateNames: ['missed-call-text-back'] } });
  assert.equal(up.status, 'succeeded', up.instance.lastError ?? '');
  assert.equal(await ingestUrl(owner, workflowId), url);
  await admin.reprovision({ params, body: { mode: 'recreate' } });
  assert.equal(await ingestUrl(owner, workflowId), url);
  const { executionId } = (await (await postJson(url, event)).json()) as { executionId: string }; // the contract's 202
  const run = await until('the run has ended', async () => {
    const found = await owner.getExecution({ params: { id: executionId } });
    return found.status !== 'RUNNING' && found;
  });
  assert.equal(run.status, 'SUCCEEDED', run.error?.message);
});
