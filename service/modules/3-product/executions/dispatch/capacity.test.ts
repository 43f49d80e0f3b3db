import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { dueAtOnce } from '@partner-portal/tests/harness/due-at-once.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createCapacity } from './capacity.ts';
import { claimDispatches } from './store-dispatch.ts';

/** An engine that may have four runs under way. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService({ windowLimits: { start: 4, min: 4, max: 4 } });
});
after(() => service.close());
afterEach(async () => {
  service.engine.calls.length = 0;
  for (const table of ['dispatch', 'under_way']) await service.query(`delete from ${table}`);
});

const agent = (): Promise<string> => service.addAgencyAgent();
const accept = (workflowId: string): Promise<string> => service.accept(workflowId);
const handOver = (): Promise<number> => service.executions.dispatcher.runOnce();
const sent = (): string[] => service.engine.calls.map(({ body }) => body.executionId);
const underWay = async (): Promise<number> => (await service.query('select from under_way')).length;

describe('runs under way', () => {
  it('are bounded in the engine and per agency, and each that ends makes room for the next', async () => {
    const busy = await agent();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await accept(busy));
    assert.deepEqual([await handOver(), await handOver(), await underWay()], [2, 0, 2], 'half of the places are for one agency');
    assert.deepEqual(sent(), ids.slice(0, 2), 'in their order');
    await service.report(ids[0] ?? '', { status: 'SUCCEEDED' });
    assert.deepEqual([await handOver(), sent().at(-1)], [1, ids[2]]);
  });

  it('never keep an agency waiting that has none: five thousand events of another are behind it', async () => {
    const busy = await agent();
    await accept(busy);
    await service.query(
      `insert into dispatch (execution_id, partner_id, workflow_id)
       select uuidv7(), d.partner_id, d.workflow_id from dispatch d cross join generate_series(1, 4999)`,
    );
    assert.equal(await handOver(), 2);
    const newcomers = [await agent(), await agent(), await agent(), await agent()];
    for (const workflowId of newcomers) {
      const id = await accept(workflowId);
      assert.deepEqual([await handOver(), sent().at(-1)], [1, id]);
    }
    assert.equal(await underWay(), 6, 'two beyond the places');
    // Runs that would fill the engine’s own queue wait their turn like others.
    const last = await accept(await agent());
    assert.equal(await handOver(), 0);
    await service.report(sent().at(-1) ?? '', { status: 'SUCCEEDED' });
    assert.deepEqual([await handOver(), sent().at(-1)], [1, last]);
  });

  it('of many more than there are places for, as after a start, keep no newcomer waiting', async () => {
    const busy = await agent();
    await accept(busy);
    await service.query(
      `insert into under_way (execution_id, partner_id, workflow_id, ask_at)
       select uuidv7(), d.partner_id, d.workflow_id, 'infinity' from dispatch d cross join generate_series(1, 40)`,
    );
    assert.equal(await handOver(), 0);
    for (let n = 0; n < 2; n += 1) {
      const id = await accept(await agent());
      assert.deepEqual([await handOver(), sent().at(-1)], [1, id]);
    }
    await accept(await agent());
    assert.equal(await handOver(), 0, 'and no more of them at a time than half of the places');
  });

  it('that have not ended for long hold no place: the engine may have lost them', async () => {
    const busy = await agent();
    for (let n = 0; n < 4; n += 1) await accept(busy);
    assert.deepEqual([await handOver(), await handOver()], [2, 0]);
    await service.query("update under_way set handed_at = now() - interval '61 seconds'");
    assert.equal(await handOver(), 2);
  });

  it('wake the dispatcher when one ends, also by a report to another process', async () => {
    const [first, second, third] = [await agent(), await agent(), await agent()].map((workflowId) => accept(workflowId));
    const ids = await Promise.all([first, second, third]);
    await service.query(
      "insert into under_way (execution_id, partner_id, workflow_id, ask_at) select uuidv7(), partner_id, workflow_id, 'infinity' from dispatch cross join generate_series(1, 2)",
    );
    service.executions.start();
    try {
      // None is due by its own time: a place that is free starts the next.
      await until('the rest waits', async () => (await service.query('select from dispatch where claimed_until is null')).length === 3);
      await service.query('delete from under_way');
      service.executions.dispatcher.ended([{ kind: 'missed-call-text-back', runs: 1, ms: 400 }]);
      await until('all are handed over', async () => ids.every((id) => sent().includes(id ?? '')));
    } finally {
      await service.executions.stop();
    }
  });
});

describe('a run that waits for its turn', () => {
  it('is shown as waiting for capacity, one that the engine did not take as waiting for the engine', async () => {
    const [id, refused] = [await accept(await agent()), await accept(await agent())];
    await service.query("update dispatch set created_at = now() - interval '11 seconds'");
    await service.query('update dispatch set attempts = 1 where execution_id = $1', [refused]);
    const shown = async (executionId: string) => {
      const { body } = await service.call('GET', `/executions/${executionId}`, { as: 'staff' });
      return [body.status, body.delayed, body.waitsFor];
    };
    assert.deepEqual(await shown(id), ['RUNNING', true, 'capacity']);
    assert.deepEqual(await shown(refused), ['RUNNING', true, 'engine']);
    await handOver();
    assert.deepEqual(await shown(id), ['RUNNING', false, null]);
  });
});

describe('the places', () => {
  it('are said to be held by runs alone that wait for one, not by those that wait for a free call or for memory', async () => {
    const [busy, other] = [await agent(), await agent()];
    for (const workflowId of [busy, busy, busy, other]) await accept(workflowId);
    await dueAtOnce(service.database.query, 'dispatch');
    const options = {
      batch: 64,
      share: 16,
      leaseSeconds: 20,
      freeBytes: 1e9,
      shareBytes: 1e9,
      windowRuns: 8,
      placeSeconds: 60,
      firstContacts: 100,
    };
    const claim = async (changed: Partial<typeof options>) => {
      const { claimed, isFull } = await claimDispatches(service.db, 'worker', { ...options, ...changed });
      await service.query('update dispatch set claimed_by = null, claimed_until = null');
      return [claimed.length, isFull];
    };
    assert.deepEqual(await claim({}), [4, false]);
    assert.deepEqual(await claim({ batch: 1 }), [1, false]);
    assert.deepEqual(await claim({ share: 1 }), [2, false]);
    assert.deepEqual(await claim({ shareBytes: 1 }), [2, false]);
    assert.deepEqual(await claim({ windowRuns: 4 }), [3, true], 'half of the places are for one agency');
    assert.deepEqual(await claim({ windowRuns: 2 }), [2, true]);
  });

  it('grow with runs that end while others wait, and not while none does', () => {
    let now = 0;
    const capacity = createCapacity({ now: () => new Date(now) });
    const { windowRuns } = capacity.now();
    const end = (runs: number): void => capacity.ended([{ kind: 'texts', runs, ms: runs * 400 }]);
    end(windowRuns);
    assert.equal(capacity.now().windowRuns, windowRuns);
    capacity.note(true);
    end(windowRuns / 2 - 1);
    assert.equal(capacity.now().windowRuns, windowRuns, 'a first round is half of those that were under way together');
    end(1);
    assert.equal(capacity.now().windowRuns, 2 * windowRuns);
    now = 399;
    end(windowRuns);
    assert.equal(capacity.now().windowRuns, 2 * windowRuns, 'they were handed over before');
    now = 400;
    end(windowRuns);
    assert.equal(capacity.now().windowRuns, 4 * windowRuns);
    now = -3_600_000;
    end(2 * windowRuns);
    assert.equal(capacity.now().windowRuns, 8 * windowRuns, 'a clock that is set back stops no learning');
  });

  it('are counted with what waits for them: its age, and the share of the busiest agency', async () => {
    assert.deepEqual(await service.executions.backlog(), { waiting: 0, oldestSeconds: 0, waitingShare: 0, underWay: 0, underWayShare: 0 });
    const [busy, calm] = [await agent(), await agent()];
    for (let n = 0; n < 5; n += 1) await accept(busy);
    await accept(calm);
    await handOver();
    assert.equal(await underWay(), 3);
    await service.query("update dispatch set created_at = now() - interval '1 hour'");
    const { oldestSeconds, ...counts } = await service.executions.backlog();
    assert.deepEqual(counts, { waiting: 3, waitingShare: 1, underWay: 3, underWayShare: 2 / 3 });
    // The clock may be set back by some milliseconds in between.
    assert.ok(oldestSeconds >= 3_599, String(oldestSeconds));
    await service.query("update dispatch set held_until = 'infinity'");
    assert.deepEqual(await service.executions.backlog(), { ...counts, oldestSeconds: 0 });
  });
});
