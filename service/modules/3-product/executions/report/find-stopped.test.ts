import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addClient, addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';

/** Runs that the engine ended without success: their flow reported nothing. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
afterEach(async () => {
  service.engine.stopped.clear();
  service.engine.read.length = 0;
  await service.query("update execution set status = 'FAILED' where status = 'RUNNING'");
  await service.query('delete from under_way');
});
after(() => service.close());

type Started = { id: string; flowId: string; workflowId: string };

/** An execution that the engine took over some seconds ago. */
async function started(workflowId: string): Promise<Started> {
  const id: string = (await service.ingest(workflowId, CALL)).body.executionId;
  await service.executions.dispatcher.runOnce();
  await service.query("update under_way set handed_at = now() - interval '6 seconds' where execution_id = $1", [id]);
  const [row] = await service.query<{ flow: string }>('select provider_flow_id as flow from workflow where id = $1', [workflowId]);
  return { id, workflowId, flowId: row?.flow ?? '' };
}
async function ofNewAgent(): Promise<Started> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  return started(await service.addAgent({ clientId }));
}
const stop = ({ id, flowId }: Pick<Started, 'id' | 'flowId'>, run: object = { status: 'LOG_SIZE_EXCEEDED' }): void =>
  void service.engine.stopped.set(`run-of-${id}`, { flowId, executionId: id, run });
const errorOf = async (id: string) =>
  (await service.query<{ status: string; code: string | null }>('select status, error_code as code from execution where id = $1', [id]))[0];

describe('a run that stopped in the engine without a report', () => {
  for (const [status, code] of [
    ['LOG_SIZE_EXCEEDED', 'engine_limit'],
    ['MEMORY_LIMIT_EXCEEDED', 'engine_limit'],
    ['INTERNAL_ERROR', 'engine_error'],
    ['TIMEOUT', 'engine_timeout'],
    ['CANCELED', 'engine_cancelled'],
    ['FAILED', 'step_failed'],
  ] as const) {
    it(`as ${status} fails its execution as ${code} in the next round`, async () => {
      const run = await ofNewAgent();
      stop(run, { status });
      assert.equal(await service.executions.findStopped(), 1);
      assert.deepEqual(await errorOf(run.id), { status: 'FAILED', code });
      assert.equal((await service.report(run.id, { status: 'SUCCEEDED' })).body.applied, false);
    });
  }

  it('takes the result that its flow had computed', async () => {
    const run = await ofNewAgent();
    const report = { executionId: run.id, workflowId: run.workflowId, status: 'SUCCEEDED', output: {} };
    stop(run, { status: 'FAILED', steps: { outcome: { output: { report } } } });
    assert.equal(await service.executions.findStopped(), 1);
    assert.deepEqual(await errorOf(run.id), { status: 'SUCCEEDED', code: null });
  });

  it('ends no execution of another flow, whatever stands in its event', async () => {
    const [run, other] = [await ofNewAgent(), await ofNewAgent()];
    stop({ id: run.id, flowId: other.flowId });
    assert.equal(await service.executions.findStopped(), 0);
    assert.equal((await errorOf(run.id))?.status, 'RUNNING');
  });

  it('is read once, also while its flow has other executions', async () => {
    const run = await ofNewAgent();
    await started(run.workflowId);
    stop(run);
    for (let round = 0; round < 3; round += 1) await service.executions.findStopped();
    assert.deepEqual(service.engine.read, [`run-of-${run.id}`]);
  });

  it('is given up after three rounds when it cannot be read, so that others are', async () => {
    const [broken, run] = [await ofNewAgent(), await ofNewAgent()];
    stop(broken);
    const { readStopped } = service.engine;
    let tries = 0;
    service.engine.readStopped = async (runId) => {
      if (runId !== `run-of-${broken.id}`) return readStopped(runId);
      tries += 1;
      throw new Error('The run is too large to be read.');
    };
    for (let round = 0; round < 3; round += 1) assert.equal(await service.executions.findStopped(), 0);
    stop(run);
    assert.equal(await service.executions.findStopped(), 1);
    service.engine.readStopped = readStopped;
    assert.deepEqual([tries, (await errorOf(broken.id))?.status], [3, 'RUNNING']);
  });

  it('is not asked for while nothing has run for long', async () => {
    const run = await ofNewAgent();
    // In an hour, so that it stays young however slow this machine is.
    await service.query("update under_way set handed_at = now() + interval '1 hour' where execution_id = $1", [run.id]);
    stop(run);
    assert.equal(await service.executions.findStopped(), 0);
    assert.deepEqual([service.engine.read, (await errorOf(run.id))?.status], [[], 'RUNNING']);
  });

  it('of one agency waits for its turn: many of another end no more than their share of a round', async () => {
    const many = await ofNewAgent();
    for (let n = 0; n < 30; n += 1) {
      const id: string = (await service.ingest(many.workflowId, CALL)).body.executionId;
      stop({ id, flowId: many.flowId });
    }
    await service.executions.dispatcher.runOnce();
    const calm = await service.db.asSystem('seed', async (tx) => {
      const partnerId = await addPartner(tx, { name: 'Calm', slug: 'stopped-calm', planId: service.world.planId, credits: 10 });
      return addWorkflow(tx, { partnerId, clientId: null, templateName: 'missed-call-text-back' });
    });
    const run = await started(calm);
    stop(run);
    assert.equal(await service.executions.findStopped(), 16);
    assert.equal((await errorOf(run.id))?.status, 'FAILED');
  });
});
