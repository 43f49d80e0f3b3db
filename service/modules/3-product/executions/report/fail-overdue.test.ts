import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import type { EngineRun } from '../engine.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
afterEach(() => {
  service.engine.find = async () => null;
});
after(() => service.close());

/** Creates a dispatched execution whose deadline has passed. */
async function overdue(): Promise<{ id: string; workflowId: string }> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  const workflowId = await service.addAgent({ clientId });
  const id: string = (await service.ingest(workflowId, CALL)).body.executionId;
  await service.executions.dispatcher.runOnce();
  await service.query(
    "update execution set due_at = now() - interval '1 second', started_at = now() - interval '10 minutes 1 second' where id = $1",
    [id],
  );
  await service.query("update under_way set handed_at = now() - interval '10 minutes 1 second' where execution_id = $1", [id]);
  return { id, workflowId };
}

/** Creates an execution that still waits for its turn when its template's time has passed. */
async function waiting(): Promise<{ id: string }> {
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'A client'));
  const id: string = (await service.ingest(await service.addAgent({ clientId }), CALL)).body.executionId;
  await service.query(
    "update execution set due_at = now() - interval '1 second', started_at = now() - interval '10 minutes 1 second' where id = $1",
    [id],
  );
  return { id };
}

/** Moves a waiting run to an hour after it was accepted. */
const passHour = (id: string) =>
  service.query(
    "update execution set started_at = started_at - interval '51 minutes', due_at = due_at - interval '51 minutes' where id = $1",
    [id],
  );

type Row = {
  status: string;
  error_code: string | null;
  error_message: string | null;
  late: boolean;
  credits_charged: number;
  extended: boolean;
  ahead: boolean;
};
async function read(id: string): Promise<Row | undefined> {
  const columns = 'status, error_code, error_message, late, credits_charged, extended, due_at > now() as ahead';
  return (await service.query<Row>(`select ${columns} from execution where id = $1`, [id]))[0];
}

/** Makes the engine return this run for one execution and know no other. */
function engineHas(id: string, run: EngineRun): void {
  service.engine.find = async (_flowId, executionId) => (executionId === id ? run : null);
}
const outcome = (report: object): EngineRun['steps'] => ({ outcome: { output: { report } } });

describe('an execution past its deadline', () => {
  it('that succeeded in the engine ends with its flow’s result, and is charged', async () => {
    const { id, workflowId } = await overdue();
    const report = { executionId: id, workflowId, status: 'SUCCEEDED', output: { contacted: CALL.callerNumber }, steps: [] };
    engineHas(id, { status: 'SUCCEEDED', steps: outcome(report) });
    assert.equal(await service.executions.endOverdue(), 1);
    const ended = await read(id);
    assert.deepEqual([ended?.status, ended?.error_code, ended?.late, ended?.credits_charged], ['SUCCEEDED', null, false, 1]);
    const [payload] = await service.query<{ output: object }>('select output from execution_payload where id = $1', [id]);
    assert.deepEqual(payload?.output, report.output);
    assert.equal(
      (await service.report(id, { status: 'SUCCEEDED' })).body.applied,
      false,
      'the report that comes after all changes nothing',
    );
  });

  it('that failed in the engine fails with our message, without a stack, a path or an id of the engine', async () => {
    const { id } = await overdue();
    engineHas(id, {
      status: 'INTERNAL_ERROR',
      failedStep: { displayName: 'Send text' },
      steps: { send_text: { output: 'Error: at /root/x.js:1 run_81kq' } },
    });
    await service.executions.endOverdue();
    const shown = await service.call('GET', `/executions/${id}`, { as: 'owner' });
    assert.deepEqual(shown.body.error, {
      code: 'engine_error',
      message: 'The automation platform could not finish this run.',
      stepName: 'Send text',
    });
    assert.doesNotMatch(shown.text, /root|run_81kq|flow-/);
  });

  it('that the engine still runs gets more time, once', async () => {
    const { id } = await overdue();
    engineHas(id, { status: 'RUNNING' });
    assert.equal(await service.executions.endOverdue(), 0);
    const extended = await read(id);
    assert.deepEqual([extended?.status, extended?.extended, extended?.ahead], ['RUNNING', true, true]);
    assert.equal(await service.executions.endOverdue(), 0, 'its new deadline lies ahead');
    await service.query("update execution set due_at = now() - interval '1 second' where id = $1", [id]);
    assert.equal(await service.executions.endOverdue(), 1);
    assert.equal((await read(id))?.error_code, 'timeout');
  });

  it('that got more time can still end by its report', async () => {
    const { id } = await overdue();
    engineHas(id, { status: 'RUNNING' });
    await service.executions.endOverdue();
    assert.equal((await service.report(id, { status: 'SUCCEEDED', output: {} })).body.applied, true);
    assert.deepEqual([(await read(id))?.status, (await read(id))?.late], ['SUCCEEDED', false]);
  });

  it('that the engine does not know fails with timeout', async () => {
    const { id } = await overdue();
    assert.equal(await service.executions.endOverdue(), 1);
    assert.deepEqual([(await read(id))?.error_code, (await read(id))?.error_message], ['timeout', 'No report within 10 minutes']);
  });

  it('fails with timeout when the engine cannot be polled, which is tried for a few executions only and delays no others', async () => {
    const runs = await Promise.all(Array.from({ length: 12 }, () => overdue()));
    let polls = 0;
    service.engine.find = async () => {
      polls += 1;
      throw new Error('connect ECONNREFUSED 127.0.0.1:9');
    };
    assert.equal(await service.executions.endOverdue(), 12);
    assert.ok(polls <= 4, `${polls} polls`);
    for (const { id } of runs) assert.equal((await read(id))?.error_code, 'timeout');
  });

  it('that still waits to be sent is not overdue, and is not polled, until its waiting limit has passed', async () => {
    const { id } = await waiting();
    service.engine.find = async () => assert.fail('the engine cannot know it');
    assert.equal(await service.executions.endOverdue(), 0);
    const waits = await read(id);
    assert.deepEqual([waits?.status, waits?.ahead], ['RUNNING', true]);
    await passHour(id);
    assert.equal(await service.executions.endOverdue(), 1);
    const ended = await read(id);
    assert.deepEqual([ended?.error_code, ended?.credits_charged], ['dispatch_failed', 0]);
    assert.equal(ended?.error_message, 'The automation platform had no room for this run within 60 minutes.');
    assert.deepEqual(await service.query('select from dispatch where execution_id = $1', [id]), []);
  });

  it('that still waits to be sent is not overdue before it has waited, when it reaches its deadline while others are looked at', async () => {
    await overdue();
    const { id } = await waiting();
    await service.query("update execution set due_at = now() + interval '1 hour' where id = $1", [id]);
    service.engine.find = async () => {
      await service.query("update execution set due_at = now() - interval '1 second' where id = $1", [id]);
      return null;
    };
    await service.executions.endOverdue();
    const [listed] = await service.query<{ count: number }>('select count(*)::int from overdue_executions(60, 10)');
    assert.deepEqual([(await read(id))?.status, listed?.count], ['RUNNING', 0]);
    assert.equal(await service.executions.endOverdue(), 0);
    assert.deepEqual([(await read(id))?.status, (await read(id))?.ahead], ['RUNNING', true]);
  });

  it('that an engine which was away never got fails as one that was not sent', async () => {
    const { id } = await waiting();
    service.engine.answer = () => 'unreachable';
    try {
      await service.query("update dispatch set due_at = now() - interval '1 second' where execution_id = $1", [id]);
      await service.executions.dispatcher.runOnce();
    } finally {
      service.engine.answer = () => 'accepted';
    }
    const [tried] = await service.query<{ attempts: number }>('select attempts from dispatch where execution_id = $1', [id]);
    assert.equal(tried?.attempts, 1);
    service.engine.find = async () => assert.fail('the engine cannot know it');
    assert.equal(await service.executions.endOverdue(), 0, 'it waits for as long as any other');
    await passHour(id);
    assert.equal(await service.executions.endOverdue(), 1);
    const ended = await read(id);
    assert.deepEqual([ended?.error_code, ended?.credits_charged], ['dispatch_failed', 0]);
    assert.equal(ended?.error_message, 'The automation platform could not take this run within 60 minutes. Nothing was sent.');
  });

  it('that is sent while others are asked about goes on, and its report counts', async () => {
    const [other, { id }] = [await overdue(), await waiting()];
    await service.query("update execution set started_at = started_at - interval '51 minutes' where id = $1", [id]);
    await service.query("update dispatch set created_at = created_at - interval '61 minutes' where execution_id = $1", [id]);
    service.engine.find = async () => (await service.executions.dispatcher.runOnce(), null);
    assert.equal(await service.executions.endOverdue(), 1);
    assert.deepEqual([(await read(id))?.status, (await read(other.id))?.error_code], ['RUNNING', 'timeout']);
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).body.applied, true);
    assert.deepEqual([(await read(id))?.status, (await read(id))?.credits_charged], ['SUCCEEDED', 1]);
  });

  it('that a worker sends is not overdue, nor while its time from the claim is not over', async () => {
    const { id } = await waiting();
    const claim = (claimed: string) =>
      service.query(`update dispatch set attempts = 1, due_at = now(), ${claimed} where execution_id = $1`, [id]);
    await service.query("update execution set started_at = now() - interval '61 minutes' where id = $1", [id]);
    await claim("claimed_by = 'worker', claimed_until = now() + interval '20 seconds'");
    assert.equal(await service.executions.endOverdue(), 0);
    await claim("claimed_by = null, claimed_until = now() + interval '30 seconds'");
    assert.equal(await service.executions.endOverdue(), 0);
    await service.query("update dispatch set due_at = now() - interval '10 minutes' where execution_id = $1", [id]);
    assert.equal(await service.executions.endOverdue(), 1);
    assert.equal((await read(id))?.error_code, 'timeout');
  });

  it('that began a month ago ends, by its report or without', async () => {
    const [one, other] = [await overdue(), await overdue()];
    await service.query("update under_way set handed_at = now() - interval '30 days' where execution_id = any($1)", [[one.id, other.id]]);
    assert.equal((await service.report(one.id, { status: 'SUCCEEDED' })).body.applied, true);
    assert.equal(await service.executions.endOverdue(), 1);
    assert.deepEqual([(await read(one.id))?.status, (await read(other.id))?.error_code], ['SUCCEEDED', 'timeout']);
  });

  it('that cannot be stored keeps no other from its end', async () => {
    const [one, other] = [await overdue(), await overdue()];
    await service.query(
      `create function refuse_one() returns trigger language plpgsql as $$ begin raise numeric_value_out_of_range; end $$`,
    );
    await service.query(
      `create trigger refuse_one before update on execution for each row when (old.id = '${one.id}') execute function refuse_one()`,
    );
    try {
      assert.equal(await service.executions.endOverdue(), 1);
      assert.deepEqual([(await read(one.id))?.status, (await read(other.id))?.error_code], ['RUNNING', 'timeout']);
    } finally {
      await service.query('drop function refuse_one cascade');
    }
    assert.equal(await service.executions.endOverdue(), 1);
  });

  it('that waited has its whole time from its hand-over', async () => {
    const { id } = await waiting();
    await service.executions.endOverdue();
    await service.query(
      "update dispatch set due_at = created_at, created_at = created_at - interval '20 minutes' where execution_id = $1",
      [id],
    );
    await service.executions.dispatcher.runOnce();
    const [row] = await service.query<{ minutes: number }>(
      'select round(extract(epoch from due_at - now()) / 60)::int as minutes from execution where id = $1',
      [id],
    );
    assert.equal(row?.minutes, 10, 'as long as its template says');
    await service.query("update execution set due_at = now() - interval '1 second' where id = $1", [id]);
    await service.query("update under_way set handed_at = now() - interval '10 minutes' where execution_id = $1", [id]);
    assert.equal(await service.executions.endOverdue(), 1);
    assert.deepEqual([(await read(id))?.error_code, (await read(id))?.error_message], ['timeout', 'No report within 10 minutes']);
  });

  it('whose deadline another process has extended concurrently is skipped', async () => {
    const { id } = await overdue();
    const first = Promise.withResolvers<void>();
    const other = await overdue();
    service.engine.find = async (_flowId, executionId) => {
      if (executionId !== id) return null;
      await service.query("update execution set extended = true, due_at = now() + interval '5 minutes' where id = $1", [id]);
      first.resolve();
      return { status: 'RUNNING' };
    };
    await service.executions.endOverdue();
    await first.promise;
    assert.deepEqual([(await read(id))?.status, (await read(other.id))?.error_code], ['RUNNING', 'timeout']);
  });

  it('is polled by one call at a time in a process', async () => {
    const { id } = await overdue();
    let polls = 0;
    service.engine.find = async () => {
      polls += 1;
      return null;
    };
    assert.deepEqual(await Promise.all([service.executions.endOverdue(), service.executions.endOverdue()]), [1, 1]);
    assert.equal(polls, 1);
    assert.equal((await read(id))?.status, 'FAILED');
  });
});
