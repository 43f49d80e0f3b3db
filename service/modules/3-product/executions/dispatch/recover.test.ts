import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { dueAtOnce } from '@partner-portal/tests/harness/due-at-once.ts';
import { type ExecutionService, startExecutionService, UNBOUNDED } from '@partner-portal/tests/harness/executions.ts';
import type { Database } from '#platform/db/tx.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { claimExpiredDispatches, settleDispatches } from './store-dispatch.ts';

// A dispatch without an answer is looked up at the engine: followed, sent again, or asked for again.

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());
afterEach(async () => {
  service.engine.answer = () => 'accepted';
  service.engine.find = async () => null;
  service.engine.calls.length = 0;
  await service.query('delete from dispatch');
});

const agent = (): Promise<string> => service.addAgencyAgent();
const accept = (workflowId: string): Promise<string> => service.accept(workflowId);
type Queued = { attempts: number; claimed: boolean; by: string | null; wait: number };
const queued = async (id: string) =>
  (
    await service.query<Queued>(
      `select attempts, claimed_until is not null as claimed, claimed_by as by, extract(epoch from claimed_until - now())::float as wait
       from dispatch where execution_id = $1`,
      [id],
    )
  )[0];
const statusOf = async (id: string) =>
  (await service.query<{ status: string }>('select status from execution where id = $1', [id]))[0]?.status;
const nowDue = () =>
  service.query("update dispatch set claimed_until = now() - interval '1 second', due_at = least(due_at, now() - interval '1 second')");
const sent = () => service.engine.calls.map((call) => call.body.executionId);
const runOnce = () => service.executions.dispatcher.runOnce();
const recoverExpired = () => service.executions.dispatcher.recoverExpired();

/** A dispatch whose call was cut off. */
async function cutOff(workflowId?: string): Promise<string> {
  const id = await accept(workflowId ?? (await agent()));
  service.engine.answer = () => 'ambiguous';
  await runOnce();
  service.engine.answer = () => 'accepted';
  return id;
}
/** A dispatch whose process died, at an unknown moment of it. */
async function crashed(): Promise<string> {
  const id = await accept(await agent());
  await service.query(
    `update dispatch set claimed_by = 'dead', attempts = 1, claimed_until = now() - interval '1 second' where execution_id = $1`,
    [id],
  );
  return id;
}

for (const [what, arrange] of [
  ['whose call was cut off', cutOff],
  ['whose process died', crashed],
] as const) {
  describe(`a dispatch ${what}`, () => {
    it('is not sent again while nothing is known of it', async () => {
      const id = await arrange();
      const before = sent().length;
      await runOnce();
      assert.deepEqual([sent().length, (await queued(id))?.claimed], [before, true]);
    });

    it('is followed when the engine has its run', async () => {
      const id = await arrange();
      await nowDue();
      service.engine.find = async (_, executionId) => (executionId === id ? { status: 'RUNNING', steps: {} } : null);
      const before = sent().length;
      assert.equal(await recoverExpired(), 1);
      await runOnce();
      assert.deepEqual([await queued(id), sent().length, await statusOf(id)], [undefined, before, 'RUNNING']);
    });

    it('takes the result of a run that has ended there', async () => {
      const id = await arrange();
      await nowDue();
      service.engine.find = async () => ({ status: 'SUCCEEDED', steps: {} });
      assert.equal(await recoverExpired(), 1);
      assert.deepEqual([await queued(id), await statusOf(id)], [undefined, 'SUCCEEDED']);
    });

    it('is sent again, once, when the engine certainly never stored it', async () => {
      const id = await arrange();
      await nowDue();
      const before = sent().length;
      assert.equal(await recoverExpired(), 1);
      await runOnce();
      await runOnce();
      assert.deepEqual([sent().slice(before), await queued(id)], [[id], undefined]);
    });

    it('is asked for again, and not sent, while the engine may still store it or does not answer', async () => {
      const id = await arrange();
      const before = sent().length;
      const answers: (typeof service.engine.find)[] = [
        async () => 'unseen',
        async () => {
          throw new Error('away');
        },
      ];
      for (const answer of answers) {
        await nowDue();
        service.engine.find = answer;
        assert.equal(await recoverExpired(), 0);
        await runOnce();
        const row = await queued(id);
        assert.deepEqual([row?.claimed, row?.by], [true, null]);
        assert.ok((row?.wait ?? 99) <= 30, 'asked again within half a minute');
      }
      assert.deepEqual([sent().length, await statusOf(id)], [before, 'RUNNING']);
    });
  });
}

describe('a dispatch without an answer whose flow was deleted', () => {
  async function withoutFlow(instanceStatus: string): Promise<string> {
    const workflowId = await agent();
    const id = await cutOff(workflowId);
    await service.query(
      `insert into automation_instance (partner_id, provider, status, tenancy_mode)
       select partner_id, 'activepieces', $2, 'shared' from workflow where id = $1`,
      [workflowId, instanceStatus],
    );
    await service.query('update workflow set provider_flow_id = null where id = $1', [workflowId]);
    await nowDue();
    return id;
  }

  it('waits until its agency is set up again before the engine is asked, and is not sent to the next flow', async () => {
    const id = await withoutFlow('provisioning');
    assert.equal(await recoverExpired(), 0);
    const before = sent().length;
    await service.query(
      "update workflow set provider_flow_id = 'next-flow' where id = (select workflow_id from dispatch where execution_id = $1)",
      [id],
    );
    await runOnce();
    assert.deepEqual([sent().length, (await queued(id))?.claimed, (await queued(id))?.by], [before, true, null]);
    await nowDue();
    // The engine deletes the runs of a flow with it, so the next one has none.
    service.engine.find = async () => null;
    await service.query(
      `insert into provisioning_attempt (partner_id, number, mode, status, template_names, started_at, finished_at)
       select partner_id, 1, 'recreate', 'succeeded', '{}', now() - interval '1 minute', now() + interval '1 second' from dispatch where execution_id = $1`,
      [id],
    );
    assert.equal(await recoverExpired(), 0);
    await runOnce();
    assert.equal(sent().length, before);
  });

  it('fails when its agency is not being set up', async () => {
    const id = await withoutFlow('unprovisioned');
    await recoverExpired();
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await service.query("update dispatch set due_at = now() - interval '1 second'");
      await runOnce();
    }
    assert.equal(await statusOf(id), 'FAILED');
  });
});

describe('lookups', () => {
  /** Looks everything up at an engine that does not answer; returns how many executions each call asked about. */
  async function asked(): Promise<number[]> {
    await nowDue();
    const sizes: number[] = [];
    const { findRuns } = service.engine;
    service.engine.findRuns = async (_, wanted) => {
      sizes.push(wanted.length);
      throw new Error('away');
    };
    try {
      assert.equal(await recoverExpired(), 0);
    } finally {
      service.engine.findRuns = findRuns;
    }
    return sizes.toSorted((a, b) => a - b);
  }

  it('ask about all executions of a flow in one call', async () => {
    const [first, second] = [await agent(), await agent()];
    for (const one of [first, first, first, second]) await cutOff(one);
    assert.deepEqual(await asked(), [1, 3]);
  });

  it('of four flows run at a time, and the first failure ends the round', async () => {
    for (let n = 0; n < 7; n += 1) await cutOff();
    assert.deepEqual(await asked(), [1, 1, 1, 1]);
    assert.equal((await service.query('select 1 from dispatch where claimed_by is null and claimed_until is not null')).length, 7);
  });

  it('of one agency wait for at most a share of another’s', async () => {
    const [busy, calm] = [await agent(), await agent()];
    // Inserted directly: an ingest URL accepts sixty a minute.
    const insert = (workflowId: string, count: number) =>
      service.query(
        `insert into dispatch (execution_id, partner_id, workflow_id, attempts, claimed_by, claimed_until)
         select uuidv7(), w.partner_id, w.id, 1, 'dead', now() - interval '1 minute' from workflow w, generate_series(1, $2) where w.id = $1`,
        [workflowId, count],
      );
    await insert(busy, 200);
    await service.query(`update dispatch set claimed_until = claimed_until - interval '1 minute'`);
    await insert(calm, 1);
    service.engine.find = async () => ({ status: 'RUNNING' });
    assert.equal(await recoverExpired(), 17, 'sixteen of the busy agency and the one of the other');
    assert.deepEqual(await service.query('select 1 from dispatch where workflow_id = $1', [calm]), []);
  });

  it('that took longer than their lease release nothing that another process has taken over', async () => {
    const id = await crashed();
    const options = { batch: 10, share: 10, leaseSeconds: 30 };
    const [slow] = await claimExpiredDispatches(service.db, 'slow', options);
    await nowDue();
    const [quick] = await claimExpiredDispatches(service.db, 'quick', options);
    assert.deepEqual([slow?.executionId, quick?.executionId], [id, id]);
    for (const next of ['again', 'ask'] as const)
      await settleDispatches(service.db, 'slow', [{ executionId: id, attempts: 1, step: { next, waitMs: 0, missed: false } }]);
    assert.equal((await queued(id))?.by, 'quick');
    await settleDispatches(service.db, 'quick', [{ executionId: id, attempts: 1, step: { next: 'again', waitMs: 0, missed: false } }]);
    assert.equal((await queued(id))?.claimed, false);
  });
});

/** A dispatcher of its own, whose statements of one name behave as given. */
function another(options: {
  isSoleProcess?: boolean;
  calls?: Partial<Record<string, (call: () => Promise<unknown>) => Promise<unknown>>>;
}): Dispatcher {
  const { db, log, clock, callbackSecret, engine } = service;
  const calls = options.calls ?? {};
  const call: Database['call'] = (statement: Parameters<Database['call']>[0]) => {
    const run = (): Promise<never> => db.call(statement) as Promise<never>;
    return (calls[statement.name]?.(run) ?? run()) as Promise<never>;
  };
  const dispatcher = createDispatcher({
    db: { ...db, call },
    engine,
    finisher: {
      fail: async () => assert.fail('nothing fails'),
      stop: async () => assert.fail('nothing stops'),
      report: async () => assert.fail('nothing ended'),
      settled: async () => undefined,
    },
    templateOf: () => undefined,
    callbackSecret,
    isSoleProcess: options.isSoleProcess ?? false,
    windowLimits: UNBOUNDED,
    firstContactsPerHour: 10_000,
    clock,
    log,
  });
  const runOnceDue = async (): Promise<number> => {
    await dueAtOnce(service.database.query, 'dispatch');
    return dispatcher.runOnce();
  };
  return { ...dispatcher, runOnce: runOnceDue };
}
const lost = (): Error => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });

describe('when the database is lost', () => {
  it('after a claim was stored and before it was answered, the next round sends what it took', async () => {
    const id = await accept(await agent());
    let claims = 0;
    const own = another({
      calls: {
        claim_dispatches: async (call) => {
          const rows = await call();
          if ((claims += 1) === 1) throw lost();
          return rows;
        },
      },
    });
    await assert.rejects(own.runOnce());
    assert.equal((await queued(id))?.claimed, true);
    service.engine.find = async () => assert.fail('it was never sent, so there is nothing to ask');
    assert.equal(await own.runOnce(), 1);
    assert.deepEqual([sent(), await queued(id)], [[id], undefined]);
    await own.stop();
  });

  it('while an outcome is stored, it is stored as soon as the database is back', async () => {
    const id = await accept(await agent());
    let tries = 0;
    const own = another({
      calls: {
        settle_dispatches: (call) => {
          if ((tries += 1) < 3) throw lost();
          return call();
        },
      },
    });
    assert.equal(await own.runOnce(), 1);
    assert.deepEqual([tries, sent(), await queued(id)], [3, [id], undefined]);
    await own.stop();
  });

  it('when an outcome was stored and not answered, its repeat releases no newer claim', async () => {
    const id = await accept(await agent());
    service.engine.answer = () => 'unreachable';
    let claimedBetween = false;
    const own = another({
      calls: {
        settle_dispatches: async (call) => {
          const by = (await queued(id))?.by;
          await call();
          if (claimedBetween) return [];
          claimedBetween = true;
          // The next round claims it again under the same name.
          await service.query(`update dispatch set attempts = 2, claimed_by = $1, claimed_until = now() + interval '1 minute'`, [by]);
          throw lost();
        },
      },
    });
    await own.runOnce();
    assert.deepEqual([(await queued(id))?.claimed, (await queued(id))?.attempts], [true, 2]);
    await own.stop();
  });
});

describe('a start', () => {
  it('of the only process looks up at once what the last one was sending', async () => {
    const id = await accept(await agent());
    await service.query(`update dispatch set claimed_by = 'dead', attempts = 1, claimed_until = now() + interval '1 hour'`);
    const asked = Promise.withResolvers<string>();
    service.engine.find = async (_, executionId) => {
      asked.resolve(executionId);
      return { status: 'RUNNING' };
    };
    const own = another({ isSoleProcess: true });
    own.start();
    assert.equal(await asked.promise, id);
    await own.stop();
  });

  it('next to other processes leaves their leases alone', async () => {
    const id = await accept(await agent());
    await service.query(`update dispatch set claimed_by = 'alive', attempts = 1, claimed_until = now() + interval '1 hour'`);
    const own = another({});
    own.start();
    assert.equal(await own.recoverExpired(), 0);
    await own.stop();
    assert.equal((await queued(id))?.by, 'alive');
  });
});

describe('while the engine is away', () => {
  it('the oldest execution shows whether it is back, and then all are due', async () => {
    const workflowId = await agent();
    const ids = [await accept(workflowId), await accept(workflowId), await accept(workflowId)];
    service.engine.answer = () => 'unreachable';
    await runOnce();
    await service.query(`update dispatch set due_at = now() + interval '30 seconds'`);
    service.engine.calls.length = 0;

    await recoverExpired();
    await runOnce();
    assert.deepEqual(sent(), ids.slice(0, 1), 'one call, however many wait');

    service.engine.answer = () => 'accepted';
    await recoverExpired();
    await runOnce();
    await runOnce();
    assert.deepEqual(sent().slice(1).toSorted(), ids.toSorted());
  });
});
