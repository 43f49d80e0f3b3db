import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import type { EngineRun } from '../engine.ts';

/** Executions whose report came while no process could take it. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
afterEach(async () => {
  service.engine.find = async () => null;
  await service.query("update execution set status = 'FAILED' where status = 'RUNNING'");
  await service.query('delete from under_way');
});
after(() => service.close());

/** An execution that the engine took over. */
async function started(): Promise<{ id: string; workflowId: string }> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  const workflowId = await service.addAgent({ clientId });
  const id: string = (await service.ingest(workflowId, CALL)).body.executionId;
  await service.executions.dispatcher.runOnce();
  return { id, workflowId };
}
const statusOf = async (id: string) =>
  (await service.query<{ status: string }>('select status from execution where id = $1', [id]))[0]?.status;
const ask = () => service.executions.findUnreported();
const dbTime = async () => (await service.query<{ now: Date }>('select clock_timestamp() as now'))[0]?.now.getTime() ?? 0;
/** Whether the flow has computed its result, and whether its run has ended. */
const runOf = ({ id, workflowId }: { id: string; workflowId: string }, status: string): EngineRun => ({
  status,
  steps: { outcome: { output: { report: { executionId: id, workflowId, status: 'SUCCEEDED', output: { contacted: '+1' }, steps: [] } } } },
});

/** As after a start. Due a second ago, because the clock may be set back between two statements. */
const askAboutAll = async (): Promise<number> => {
  const count = await service.executions.askAboutAll();
  await service.query("update under_way set ask_at = ask_at - interval '1 second'");
  return count;
};

describe('an execution whose report did not arrive', () => {
  it('is not asked about while it is young; after a start all that is under way is', async () => {
    const one = await started();
    let asked = 0;
    service.engine.find = async (_flowId, executionId) => {
      asked += 1;
      return executionId === one.id ? runOf(one, 'SUCCEEDED') : null;
    };
    assert.deepEqual([await ask(), asked], [0, 0]);
    assert.equal(await askAboutAll(), 1);
    assert.deepEqual([await ask(), await statusOf(one.id)], [1, 'SUCCEEDED']);
    assert.equal((await service.report(one.id, { status: 'SUCCEEDED' })).body.applied, false, 'its report comes after all');
    assert.deepEqual(await service.query('select from under_way'), []);
  });

  it('is asked for as soon as a process works again', async (context) => {
    const own = await startExecutionService();
    context.after(() => own.close());
    const workflowId = await own.addAgent({});
    const id: string = (await own.ingest(workflowId, CALL)).body.executionId;
    await own.executions.dispatcher.runOnce();
    own.engine.find = async () => runOf({ id, workflowId }, 'SUCCEEDED');
    await own.query("update under_way set ask_at = now() + interval '1 hour'");
    own.executions.start();
    await until('the execution has ended', async () => {
      const rows = await own.query<{ status: string }>('select status from execution where id = $1', [id]);
      return rows[0]?.status === 'SUCCEEDED';
    });
  });

  it('ends by the result that its flow has computed, also while the engine still tries to report it', async () => {
    const one = await started();
    service.engine.find = async () => runOf(one, 'RUNNING');
    await askAboutAll();
    assert.deepEqual([await ask(), await statusOf(one.id)], [1, 'SUCCEEDED']);
  });

  it('is asked about again, less and less often, while it runs, and left to its timeout when the engine has lost it', async () => {
    const one = await started();
    let asked = 0;
    service.engine.find = async () => {
      asked += 1;
      return { status: 'RUNNING' };
    };
    await askAboutAll();
    for (const [round, seconds] of [5, 10, 20].entries()) {
      const before = await dbTime();
      assert.equal(await ask(), 0);
      const after = await dbTime();
      const [row] = await service.query<{ at: Date }>('select ask_at as at from under_way');
      const since = (row?.at.getTime() ?? 0) - seconds * 1_000;
      assert.ok(before - 500 <= since && since <= after + 500, `asked again after ${seconds} s`);
      // An hour later, so that it is not due here however slow this machine is.
      await service.query("update under_way set ask_at = ask_at + interval '1 hour'");
      assert.deepEqual([await ask(), asked], [0, round + 1]);
      await service.query("update under_way set ask_at = now() - interval '1 second'");
    }
    service.engine.find = async () => null;
    assert.deepEqual([await ask(), await statusOf(one.id)], [0, 'RUNNING']);
  });

  it('is ended also when other flows cannot be read', async () => {
    const some = [await started(), await started(), await started(), await started()];
    await askAboutAll();
    service.engine.find = async (_flowId, executionId) => {
      const one = some.find(({ id }) => id === executionId);
      if (!one || some.indexOf(one) < 2) throw new Error('the flow cannot be read');
      return runOf(one, 'SUCCEEDED');
    };
    assert.equal(await ask(), 2);
  });

  it('is not waited for when it is being ended while a start asks about all', async () => {
    const [ending, other] = [await started(), await started()];
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = service.db.asSystem('seed', async (tx) => {
      await sql`select 1 from under_way where execution_id = ${ending.id} for update`.execute(tx);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    try {
      assert.equal(await service.executions.askAboutAll(), 1);
    } finally {
      held.resolve();
      await holding;
    }
    await service.query("update under_way set ask_at = ask_at - interval '1 second' where execution_id = $1", [other.id]);
    service.engine.find = async () => runOf(other, 'SUCCEEDED');
    assert.deepEqual([await ask(), await statusOf(other.id)], [1, 'SUCCEEDED']);
  });

  it('is left for later when the engine does not answer, and no other is lost by it', async () => {
    const [one, other] = [await started(), await started()];
    await askAboutAll();
    service.engine.find = async () => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:9');
    };
    assert.equal(await ask(), 0);
    service.engine.find = async (_flowId, executionId) => runOf(executionId === one.id ? one : other, 'SUCCEEDED');
    await service.query("update under_way set ask_at = now() - interval '1 second'");
    assert.deepEqual([await ask(), await statusOf(one.id), await statusOf(other.id)], [2, 'SUCCEEDED', 'SUCCEEDED']);
  });
});
