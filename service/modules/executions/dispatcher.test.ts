import assert from 'node:assert/strict';
import { afterEach, after, before, describe, it } from 'node:test';
import { callbackToken } from '@house/core/signing.ts';
import { CALL, type RunService, startRunService } from '@house/tests/harness/runs.ts';
import { addPartner, addWorkflow } from '@house/tests/harness/world.ts';

let service: RunService;
let agencies = 0;

before(async () => {
  service = await startRunService();
});
after(() => service.close());
afterEach(async () => {
  service.engine.answer = () => 'accepted';
  service.engine.find = async () => null;
  service.engine.calls.length = 0;
  await service.query('delete from dispatch');
});

async function agent(flowId?: string): Promise<string> {
  const slug = `agency-${(agencies += 1)}`;
  return service.db.asSystem('seed', async (tx) => {
    const partnerId = await addPartner(tx, { name: slug, slug, planId: service.world.planId });
    return addWorkflow(tx, {
      partnerId,
      clientId: null,
      templateName: 'missed-call-text-back',
      ...(flowId ? { providerFlowId: flowId } : {}),
    });
  });
}
const accept = async (workflowId: string): Promise<string> => (await service.ingest(workflowId, CALL)).body.executionId;
const queued = async (id: string) =>
  (
    await service.query<{ attempts: number; misses: number; claimed: boolean; due_in: number }>(
      'select attempts, misses, claimed_until is not null as claimed, extract(epoch from due_at - now())::float as due_in from dispatch where execution_id = $1',
      [id],
    )
  )[0];
const runOf = async (id: string) =>
  (await service.query<{ status: string; error_code: string | null }>('select status, error_code from execution where id = $1', [id]))[0];
const due = (id: string) => service.query('update dispatch set due_at = now() where execution_id = $1', [id]);

describe('after the engine was away', () => {
  it('what waited is due at once and in its order, but for what the engine does not know', async () => {
    const workflowId = await agent();
    const ids = [await accept(workflowId), await accept(workflowId), await accept(workflowId), await accept(workflowId)];
    const [first = '', , , unknown = ''] = ids;
    service.engine.answer = () => 'unreachable';
    await service.executions.dispatcher.runOnce();
    // The oldest has tried most often and so waits longest.
    await service.query(
      `update dispatch set due_at = now() + interval '1 hour' - (created_at - (select min(created_at) from dispatch)) * 1000`,
    );
    await service.query('update dispatch set misses = 1 where execution_id = $1', [unknown]);
    assert.equal(await service.executions.dispatcher.runOnce(), 0, 'nothing is due');

    const probe = await accept(workflowId);
    service.engine.answer = () => 'accepted';
    service.engine.calls.length = 0;
    await service.executions.dispatcher.runOnce();
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map((call) => call.body.executionId),
      [probe, first, ...ids.slice(1, 3)],
    );
    assert.ok(((await queued(unknown))?.due_in ?? 0) > 60);
  });
});

describe('a dispatch', () => {
  it('carries the event, the settings with defaults, the client, the facts and the run’s own proof', async () => {
    const workflowId = await service.addAgent();
    await service.query(`update workflow set config = '{"repeatAfterHours": 5}' where id = $1`, [workflowId]);
    const id = await accept(workflowId);
    assert.equal(await service.executions.dispatcher.runOnce(), 1);
    const body = service.engine.calls[0]?.body;
    assert.equal(body?.executionId, id);
    assert.equal(body?.workflowId, workflowId);
    assert.equal(body?.callbackToken, callbackToken(service.callbackSecret.reveal(), id));
    assert.deepEqual(body?.input, CALL);
    assert.equal(body?.config['repeatAfterHours'], 5);
    assert.equal(body?.config['quietHours'], '21:00-08:00');
    assert.deepEqual(
      [body?.client['id'], body?.client['name'], body?.client['timezone']],
      [service.world.clientId, 'Oak Street Dental', 'America/Chicago'],
    );
    assert.deepEqual([body?.facts['onStopList'], body?.facts['lastContactAt']], [false, null]);
    assert.equal(await queued(id), undefined);
  });

  it('waits for an engine that is away, longer each time, and is never lost', async () => {
    service.engine.answer = () => 'unreachable';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    const first = await queued(id);
    await due(id);
    await service.executions.dispatcher.runOnce();
    const second = await queued(id);
    assert.deepEqual([first?.attempts, second?.attempts, second?.claimed], [1, 2, false]);
    assert.ok((second?.due_in ?? 0) > (first?.due_in ?? 0));
    assert.equal((await runOf(id))?.status, 'RUNNING');
    service.engine.answer = () => 'accepted';
    await due(id);
    await service.executions.dispatcher.runOnce();
    assert.equal(await queued(id), undefined);
  });

  it('to a flow that is not found is believed after a few tries only, then the run fails as dispatch_failed', async () => {
    service.engine.answer = () => 'not_found';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.equal((await runOf(id))?.status, 'RUNNING');
    for (let n = 0; n < 6; n += 1) {
      await due(id);
      await service.executions.dispatcher.runOnce();
    }
    assert.deepEqual(await runOf(id), { status: 'FAILED', error_code: 'dispatch_failed' });
    assert.equal(await queued(id), undefined);
  });

  it('that is refused fails the run at once', async () => {
    service.engine.answer = () => 'refused';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(await runOf(id), { status: 'FAILED', error_code: 'dispatch_failed' });
  });

  it('without an answer is never sent twice: the timeout decides', async () => {
    service.engine.answer = () => 'ambiguous';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.equal(await queued(id), undefined);
    assert.equal((await runOf(id))?.status, 'RUNNING');
    await service.executions.dispatcher.runOnce();
    assert.equal(service.engine.calls.length, 1);
  });

  it('is given to two dispatchers once', async () => {
    const workflowId = await agent();
    const ids = await Promise.all(Array.from({ length: 20 }, () => accept(workflowId)));
    await Promise.all([service.executions.dispatcher.runOnce(), service.executions.dispatcher.runOnce()]);
    await service.executions.dispatcher.runOnce();
    const sent = service.engine.calls.map((call) => call.body.executionId);
    assert.equal(sent.length, new Set(sent).size);
    assert.deepEqual(sent.toSorted(), ids.toSorted());
  });

  it('of one agency waits for a share of another’s burst at most', async () => {
    const [busy, calm] = [await agent(), await agent()];
    await Promise.all(Array.from({ length: 50 }, () => accept(busy)));
    const id = await accept(calm);
    await service.executions.dispatcher.runOnce();
    const at = service.engine.calls.findIndex((call) => call.body.executionId === id);
    assert.ok(at >= 0 && at <= 16, `position ${at}`);
  });
});

describe('a claim whose worker died', () => {
  const lapse = (id: string) =>
    service.query(`update dispatch set claimed_by = 'dead', claimed_until = now() - interval '1 second' where execution_id = $1`, [id]);

  it('is not sent again when the engine has the run', async () => {
    const id = await accept(await agent('flow-known'));
    await lapse(id);
    service.engine.find = async (flowId, executionId) => (flowId === 'flow-known' && executionId === id ? { steps: {} } : null);
    assert.equal(await service.executions.dispatcher.recoverLapsed(), 1);
    assert.equal(await queued(id), undefined);
    await service.executions.dispatcher.runOnce();
    assert.equal(service.engine.calls.length, 0);
  });

  it('is sent again when the engine does not know the run', async () => {
    const id = await accept(await agent());
    await lapse(id);
    assert.equal(await service.executions.dispatcher.recoverLapsed(), 1);
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map((call) => call.body.executionId),
      [id],
    );
  });

  it('waits while the engine cannot be asked', async () => {
    const id = await accept(await agent());
    await lapse(id);
    service.engine.find = async () => {
      throw new Error('away');
    };
    assert.equal(await service.executions.dispatcher.recoverLapsed(), 0);
    await service.executions.dispatcher.runOnce();
    assert.equal(service.engine.calls.length, 0);
    assert.equal((await queued(id))?.claimed, true);
  });
});

describe('the running dispatcher', () => {
  it('hands a run over as soon as it is accepted', async () => {
    const workflowId = await agent();
    const given = Promise.withResolvers<string>();
    service.engine.answer = (flowId) => {
      given.resolve(flowId);
      return 'accepted';
    };
    service.executions.start();
    const id = await accept(workflowId);
    await given.promise;
    assert.equal(service.engine.calls.at(-1)?.body.executionId, id);
  });
});
