import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';

// What a teardown waits for before it deletes the flows of an agency.

let service: ExecutionService;
let workflowId: string;
before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
});
after(() => service.close());

const statusOf = async (id: string) =>
  (await service.query<{ status: string }>('select status from execution where id = $1', [id]))[0]?.status;

/** Begins to wait as a teardown does. */
function beginWait() {
  let asked = 0;
  let isOver = false;
  const stop = service.db.onStatement(({ text }) => {
    if (text.includes('ask_about_partner')) asked += 1;
  });
  const over = service.executions.awaitUnderWay(service.world.partnerId, new AbortController().signal).finally(() => {
    isOver = true;
    stop();
  });
  return { over, goesOn: () => until('it asked twice or went on', async () => asked > 1 || isOver).then(() => !isOver) };
}

/** Sends an event; the engine takes it at once and answers when released. */
async function beginDispatch(context: TestContext) {
  const { dispatch } = service.engine;
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.engine.dispatch = async (...call) => {
    const outcome = await dispatch(...call);
    taken.resolve();
    await released.promise;
    return outcome;
  };
  context.after(() => released.resolve());
  const id = await service.accept(workflowId);
  const round = service.executions.dispatcher.runOnce();
  await taken.promise;
  service.engine.dispatch = dispatch;
  return { id, round, release: () => released.resolve() };
}

describe('a teardown', () => {
  it('waits for a run that was being sent when its flow was switched off, and not for one that is claimed later', async (context) => {
    service.engine.find = async () => ({ status: 'SUCCEEDED', steps: {} });
    const earlier = await beginDispatch(context);
    const wait = beginWait();
    assert.ok(await wait.goesOn());
    const later = await beginDispatch(context);
    earlier.release();
    await wait.over;
    assert.equal(await statusOf(earlier.id), 'SUCCEEDED');
    const left = await service.query('select ask_about_partner($1, 60000) as running', [service.world.partnerId]);
    assert.deepEqual(left, [{ running: 0 }]);
    later.release();
    await Promise.all([earlier.round, later.round]);
    await service.query('delete from under_way');
  });

  it('waits for a run about which the engine is being asked', async (context) => {
    service.engine.answer = () => 'ambiguous';
    const id = await service.accept(workflowId);
    await service.executions.dispatcher.runOnce();
    await service.query("update dispatch set claimed_until = now() - interval '1 second'");
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.engine.find = async () => {
      asked.resolve();
      await released.promise;
      return { status: 'SUCCEEDED', steps: {} };
    };
    context.after(() => released.resolve());
    const lookup = service.executions.dispatcher.recoverExpired();
    await asked.promise;
    const wait = beginWait();
    assert.ok(await wait.goesOn());
    released.resolve();
    await Promise.all([lookup, wait.over]);
    assert.equal(await statusOf(id), 'SUCCEEDED');
  });
});
