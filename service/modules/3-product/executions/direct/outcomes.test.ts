import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import type { DirectRequest, EngineRun } from '../index.ts';

/** The meaning of every answer of the engine for a turn, with the engine replaced at its adapter. */

let service: ExecutionService;
/** A process on the same database whose waits are soon over, for tests of what follows then. */
let brief: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService({ directWaitMs: 600_000 });
  brief = await startExecutionService({ database: service.database, world: service.world, directWaitMs: 1_500 });
  workflowId = await service.addAgent({ templateVersion: 2 });
});
after(async () => {
  await brief.close();
  await service.close();
});
beforeEach(() => {
  for (const { engine } of [service, brief]) {
    Object.assign(engine, { direct: async () => ({ kind: 'unreachable' }), find: async () => null });
    engine.directCalls.length = 0;
  }
});

const request = (change: Partial<DirectRequest> = {}): DirectRequest => ({
  turnId: newId(),
  workflowId,
  input: { callerNumber: '+13125550121', businessNumber: '+13125550100' },
  scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
  ...change,
});
const run = (one: DirectRequest) => service.executions.runDirectly(one);
const runBriefly = (one: DirectRequest) => brief.executions.runDirectly(one);
const reportOf = (body: Record<string, unknown>) => ({
  workflowId: body['workflowId'],
  status: 'SUCCEEDED',
  output: { contacted: '+13125550121' },
});
const answers = () => (service.engine.direct = async (_flow, body) => ({ kind: 'answered', body: reportOf(body) }));
const stored = async (id: string) =>
  (await service.query<{ status: string; error_code: string | null }>('select status, error_code from execution where id = $1', [id]))[0];
const engineRun = (turnId: string, status: string, report?: object): EngineRun => ({
  status,
  steps: { trigger: { output: { body: { turnId } } }, ...(report ? { outcome: { output: { report } } } : {}) },
});

describe('a turn is refused without a run', () => {
  const cases: [string, () => Promise<Partial<DirectRequest>>, string, string][] = [
    ['unknown agent', async () => ({ workflowId: newId() }), 'not_found', 'not_found'],
    [
      'agent of another client',
      async () => ({ scope: { partnerId: service.world.partnerId, clientId: service.world.otherClientId } }),
      'not_found',
      'not_found',
    ],
    [
      'agent of another agency',
      async () => ({ scope: { partnerId: service.world.rivalPartnerId, clientId: null } }),
      'not_found',
      'not_found',
    ],
    [
      'agent that is switched off',
      async () => ({ workflowId: await service.addAgent({ templateName: 'review-request', templateVersion: 2, isActive: false }) }),
      'workflow_inactive',
      'workflow_inactive',
    ],
    [
      'agent that is not installed',
      async () => ({
        workflowId: await service.addAgent({ templateName: 'quote-follow-up', templateVersion: null, providerFlowId: null }),
      }),
      'workflow_inactive',
      'workflow_inactive',
    ],
    ['missing input', async () => ({ input: { callerNumber: '+13125550121' } }), 'missing_input', 'missing_input'],
  ];
  for (const [what, change, refusal, code] of cases)
    it(what, async () => {
      answers();
      const one = request(await change());
      const result = await run(one);
      assert.deepEqual([result.kind, result.refusal, result.error?.code, result.executionId], ['refused', refusal, code, null]);
      assert.ok((result.error?.message ?? '').length > 10);
      assert.deepEqual([await stored(one.turnId), service.engine.directCalls.length], [undefined, 0]);
    });
  for (const [what, statement, undo, refusal] of [
    [
      'a suspended account',
      "update partner set status = 'suspended' where id = $1",
      "update partner set status = 'active' where id = $1",
      'account_suspended',
    ],
    [
      'no credits left',
      'update partner_quota set used = monthly_credits where partner_id = $1',
      'update partner_quota set used = 0 where partner_id = $1',
      'quota_exceeded',
    ],
  ] as const)
    it(what, async (context) => {
      answers();
      await service.query(statement, [service.world.partnerId]);
      context.after(() => service.query(undo, [service.world.partnerId]));
      const result = await run(request());
      assert.deepEqual([result.kind, result.refusal, service.engine.directCalls.length], ['refused', refusal, 0]);
    });
  it('an older flow and one that reads a database, with the reason; the others run', async () => {
    answers();
    const old = await run(request({ workflowId: await service.addAgent({ templateName: 'lead-qualifier', templateVersion: 1 }) }));
    assert.deepEqual([old.kind, old.error?.code, old.refusal], ['refused', 'flow_outdated', undefined]);
    const sql = await run(request({ workflowId: await service.addAgent({ templateName: 'daily-sql-report', templateVersion: 2 }) }));
    assert.deepEqual([sql.kind, sql.error?.code], ['refused', 'not_for_chatbots']);
    assert.equal(service.engine.directCalls.length, 0);
    assert.equal((await run(request())).kind, 'succeeded');
  });
  it('a turn that ran one agent does not run another', async () => {
    answers();
    const one = request();
    assert.equal((await run(one)).kind, 'succeeded');
    const other = await service.addAgent({ templateName: 'no-show-rebooking', templateVersion: 2 });
    await assert.rejects(run({ ...one, workflowId: other }));
    assert.equal(service.engine.directCalls.length, 1);
  });
});

describe('what the engine does not answer', () => {
  it('is looked for until it has ended, and taken from the run', async () => {
    const one = request();
    let looks = 0;
    service.engine.direct = async () => ({ kind: 'silent' });
    service.engine.find = async () => engineRun(one.turnId, 'RUNNING', (looks += 1) < 3 ? undefined : reportOf({ workflowId }));
    const result = await run(one);
    assert.deepEqual(
      [result.kind, result.output, looks, service.engine.directCalls.length],
      ['succeeded', { contacted: '+13125550121' }, 3, 1],
    );
  });
  it('ends with timeout when the flow still runs after the wait, once for good', async () => {
    const one = request();
    brief.engine.direct = async () => ({ kind: 'silent' });
    brief.engine.find = async () => engineRun(one.turnId, 'RUNNING');
    const result = await runBriefly(one);
    assert.deepEqual([result.kind, result.error?.code], ['failed', 'timeout']);
    assert.deepEqual(await stored(one.turnId), { status: 'FAILED', error_code: 'timeout' });
    assert.deepEqual(await runBriefly(one), result);
    assert.equal(brief.engine.directCalls.length, 1);
  });
  it('is unknown when the engine cannot say, and the same turn finds it later without a second call', async () => {
    for (const find of [async () => 'unseen' as const, () => Promise.reject(new Error('away'))]) {
      const one = request();
      brief.engine.directCalls.length = 0;
      brief.engine.direct = async () => ({ kind: 'ambiguous' });
      brief.engine.find = find;
      const result = await runBriefly(one);
      assert.deepEqual([result.kind, result.executionId], ['unknown', one.turnId]);
      assert.equal((await stored(one.turnId))?.status, 'RUNNING');
      brief.engine.find = async () => engineRun(one.turnId, 'SUCCEEDED', reportOf({ workflowId }));
      assert.equal((await runBriefly(one)).kind, 'succeeded');
      assert.equal(brief.engine.directCalls.length, 1);
    }
  });
  it('is found also when the account was suspended and the agent switched off meanwhile', async (context) => {
    const one = request();
    brief.engine.direct = async () => ({ kind: 'ambiguous' });
    brief.engine.find = async () => 'unseen';
    assert.equal((await runBriefly(one)).kind, 'unknown');
    await service.query("update partner set status = 'suspended' where id = $1", [service.world.partnerId]);
    await service.query('update workflow set is_active = false where id = $1', [workflowId]);
    context.after(async () => {
      await service.query("update partner set status = 'active' where id = $1", [service.world.partnerId]);
      await service.query('update workflow set is_active = true where id = $1', [workflowId]);
    });
    assert.equal((await runBriefly(request())).kind, 'refused', 'a new one is not run');
    brief.engine.find = async () => engineRun(one.turnId, 'SUCCEEDED', reportOf({ workflowId }));
    assert.equal((await runBriefly(one)).kind, 'succeeded');
  });
  it('is left running when its caller gives up, and taken up by the next call', async () => {
    const one = request();
    const given = new AbortController();
    const called = Promise.withResolvers<void>();
    service.engine.direct = async (_flow, _body, signal) => {
      called.resolve();
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      return { kind: 'ambiguous' };
    };
    service.engine.find = async () => engineRun(one.turnId, 'RUNNING');
    const result = run({ ...one, signal: given.signal });
    await called.promise;
    given.abort();
    assert.equal((await result).kind, 'unknown');
    assert.equal((await stored(one.turnId))?.status, 'RUNNING');
    service.engine.find = async () => engineRun(one.turnId, 'SUCCEEDED', reportOf({ workflowId }));
    assert.equal((await run(one)).kind, 'succeeded');
    assert.equal(service.engine.directCalls.length, 1);
  });
  it('an answer that is no result of this agent is not taken for one', async () => {
    const one = request();
    service.engine.direct = async () => ({ kind: 'answered', body: { workflowId: newId(), status: 'SUCCEEDED' } });
    service.engine.find = async () =>
      engineRun(one.turnId, 'SUCCEEDED', { ...reportOf({ workflowId }), status: 'FAILED', error: { message: 'no' } });
    assert.equal((await run(one)).kind, 'failed');
  });
  it('a flow that the engine refuses, does not run or no longer has is unavailable', async () => {
    for (const kind of ['refused', 'not_found', 'gone'] as const) {
      brief.engine.direct = async () => ({ kind });
      const one = request();
      const result = await runBriefly(one);
      assert.deepEqual([result.kind, result.error?.code], ['unavailable', 'dispatch_failed'], kind);
      assert.deepEqual(await stored(one.turnId), { status: 'FAILED', error_code: 'dispatch_failed' });
    }
  });
});

describe('many turns of one agency', () => {
  it('leaves half of the calls to others, and refuses what cannot wait', async (context) => {
    const proceed = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    context.after(() => proceed.resolve());
    service.engine.direct = async (_flow, body) => {
      if (service.engine.directCalls.length === 32) full.resolve();
      await proceed.promise;
      return { kind: 'answered', body: reportOf(body) };
    };
    const many = Array.from({ length: 200 }, () => request());
    const results = many.map(run);
    await full.promise;
    const refused = (await Promise.race([Promise.all(results), Promise.all(results.slice(-20))])).slice(-20);
    assert.ok(refused.every((one) => one.kind === 'refused' && one.refusal === 'busy' && one.executionId === null));
    const other = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, {
        partnerId: service.world.rivalPartnerId,
        clientId: null,
        templateName: 'missed-call-text-back',
        templateVersion: 2,
      }),
    );
    const theirs = run(request({ workflowId: other, scope: { partnerId: service.world.rivalPartnerId, clientId: null } }));
    await until('the other agency is called', () => service.engine.directCalls.some((call) => call.body['workflowId'] === other));
    assert.equal(service.engine.directCalls.length, 33);
    proceed.resolve();
    assert.equal((await theirs).kind, 'succeeded');
    const all = await Promise.all(results);
    assert.equal(all.filter((one) => one.kind === 'succeeded').length, 200 - all.filter((one) => one.kind === 'refused').length);
  });
});

describe('the timeout of all runs and a turn', () => {
  it('that ends it first is the result of both', async () => {
    const one = request();
    const called = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    service.engine.direct = async (_flow, body) => {
      called.resolve();
      await proceed.promise;
      return { kind: 'answered', body: reportOf(body) };
    };
    service.engine.find = async () =>
      engineRun(one.turnId, 'SUCCEEDED', {
        ...reportOf({ workflowId }),
        status: 'FAILED',
        error: { code: 'twilio_down', message: 'Twilio has a fault' },
      });
    const result = run(one);
    await called.promise;
    await service.query("update execution set due_at = now() - interval '1 second' where id = $1", [one.turnId]);
    assert.equal(await service.executions.endOverdue(), 1);
    proceed.resolve();
    assert.deepEqual([(await result).kind, (await result).error?.code], ['failed', 'twilio_down']);
    const metered = await service.query('select 1 from usage_entry where execution_id = $1', [one.turnId]);
    assert.equal(metered.length, 0);
  });
  it('finds a turn whose process never came back, by its id', async () => {
    const one = request();
    brief.engine.direct = async () => ({ kind: 'ambiguous' });
    brief.engine.find = async () => 'unseen';
    assert.equal((await runBriefly(one)).kind, 'unknown');
    brief.engine.find = async (_flow, executionId) =>
      executionId === one.turnId ? engineRun(one.turnId, 'SUCCEEDED', reportOf({ workflowId })) : null;
    await service.query("update execution set due_at = now() - interval '1 second' where id = $1", [one.turnId]);
    assert.equal(await brief.executions.endOverdue(), 1);
    assert.equal((await stored(one.turnId))?.status, 'SUCCEEDED');
  });
  it('is corrected once when the flow ended after all: what it did is recorded and charged', async () => {
    const one = request();
    brief.engine.direct = async () => ({ kind: 'silent' });
    brief.engine.find = async () => engineRun(one.turnId, 'RUNNING');
    assert.equal((await runBriefly(one)).error?.code, 'timeout');
    assert.equal(await brief.executions.correctTimeouts(), 0, 'it still runs');
    brief.engine.find = async (_flow, id) => (id === one.turnId ? engineRun(one.turnId, 'SUCCEEDED', reportOf({ workflowId })) : null);
    assert.deepEqual([await brief.executions.correctTimeouts(), await brief.executions.correctTimeouts()], [1, 0]);
    const [row] = await service.query<{ status: string; late: boolean }>('select status, late from execution where id = $1', [one.turnId]);
    const metered = await service.query('select 1 from usage_entry where execution_id = $1', [one.turnId]);
    assert.deepEqual([row, metered.length], [{ status: 'SUCCEEDED', late: true }, 1]);
  });
});
