import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { DEMO, type DemoClient, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { setupEnd } from '../../harness/setup-end.ts';
import { DEMO_PASSWORD, runSweep, type System, until } from '../../harness/system.ts';
import type { OnTheDemo } from './open.ts';

// An agency is taken out of the engine and set up again: the URL its customers post to stays the same throughout.

let system: System;
let workspace: Workspace;
let owner: DemoClient;

export function testTakeDown(open: () => OnTheDemo): void {
  before(async () => {
    ({ system, workspace } = open());
    owner = system.client(await system.login(DEMO.owner.email, DEMO_PASSWORD));
  });

  it('an agent refuses events after deprovision, and answers at the same URL when it is installed again', async () => {
    const { admin, workflowIds } = workspace;
    const workflowId = workflowIds['missed-call-text-back'] ?? '';
    const url = await ingestUrl(owner, workflowId);
    const partner = (await admin.listPartners({ query: {} })).data.find((one) => one.slug === DEMO.partner.slug);
    assert.ok(partner);
    const params = { id: partner.id };
    const event = { callerNumber: '+13125550177', businessNumber: DEMO.businessNumber };

    const down = await setupEnd(admin, await admin.deprovision({ params, query: { confirm: partner.slug } }));
    assert.deepEqual([down.status, down.instance.status], ['succeeded', 'unprovisioned'], down.instance.lastError ?? '');
    const refused = await postJson(url, event);
    const problem = (await refused.json()) as { code: string }; // the contract's refusal
    assert.deepEqual([refused.status, problem.code], [409, 'workflow_inactive']);

    const up = await setupEnd(admin, await admin.provision({ params, body: { templateNames: ['missed-call-text-back'] } }));
    assert.equal(up.status, 'succeeded', up.instance.lastError ?? '');
    assert.equal(await ingestUrl(owner, workflowId), url);
    await setupEnd(admin, await admin.reprovision({ params, body: { mode: 'recreate' } }));
    assert.equal(await ingestUrl(owner, workflowId), url);
    const { executionId } = (await (await postJson(url, event)).json()) as { executionId: string }; // the contract's 202
    const run = await until('the run has ended', async () => {
      const found = await owner.getExecution({ params: { id: executionId } });
      return found.status !== 'RUNNING' && found;
    });
    assert.equal(run.status, 'SUCCEEDED', run.error?.message);
  });

  it('runs that are under way when their agency is taken down end by their report, or by the timeout, and hold nothing', async () => {
    const { admin, partnerId, workflowIds } = workspace;
    const workflowId = workflowIds['missed-call-text-back'] ?? '';
    const url = await ingestUrl(owner, workflowId);
    const event = { callerNumber: '+13125550178', businessNumber: DEMO.businessNumber };
    // The engine has taken both and is slow: no dispatcher sends them, and none will.
    await system.query(`create function take_dispatch() returns trigger language plpgsql as $$ begin
        new.claimed_until := now() + interval '1 hour'; return new;
      end $$`);
    await system.query('create trigger take_dispatch before insert on dispatch for each row execute function take_dispatch()');
    const accepted = await Promise.all([postJson(url, event), postJson(url, event)]);
    const [reported = '', silent = ''] = await Promise.all(
      accepted.map(async (answer) => ((await answer.json()) as { executionId: string }).executionId), // the contract's 202
    );
    await system.query('drop trigger take_dispatch on dispatch');
    await system.query('delete from dispatch where execution_id = any($1)', [[reported, silent]]);

    const [partner] = (await admin.listPartners({ query: {} })).data.filter((one) => one.id === partnerId);
    const down = await admin.deprovision({ params: { id: partnerId }, query: { confirm: partner?.slug ?? '' } });
    assert.equal(down.instance.status, 'unprovisioned', down.instance.lastError ?? '');
    const statusOf = async (id: string) => (await owner.getExecution({ params: { id } })).status;
    assert.deepEqual([await statusOf(reported), await statusOf(silent)], ['RUNNING', 'RUNNING']);

    const token = callbackToken(system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '', reported);
    const body = { executionId: reported, workflowId, status: 'SUCCEEDED' as const };
    assert.deepEqual(await system.client().reportExecution({ headers: { 'x-callback-token': token }, body }), { applied: true });
    assert.equal(await statusOf(reported), 'SUCCEEDED');

    await system.query("update execution set due_at = now() - interval '1 second' where id = $1", [silent]);
    await runSweep(system, 'executions.timeout');
    // The engine is asked first: it knows neither the run nor the flow any more.
    await until('the silent run has ended', async () => {
      const rows = await system.query("select 1 from execution where id = $1 and status <> 'RUNNING'", [silent]);
      return rows.length === 1;
    });
    const ended = await owner.getExecution({ params: { id: silent } });
    assert.deepEqual([ended.status, ended.error?.code], ['FAILED', 'timeout']);
    const [left] = await system.query(
      `select (select sum(in_flight)::int from partner_quota where partner_id = $1) as held,
         (select array_agg(execution_id::text) from usage_entry where execution_id = any($2)) as metered`,
      [partnerId, [reported, silent]],
    );
    assert.deepEqual(left, { held: 0, metered: [reported] });
  });
}
