import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createByteShares } from './byte-shares.ts';
import { type ComputeOptions, createComputePool, defineTask } from './compute/compute-pool.ts';
import type { fail, whereAmI } from './compute/test-tasks.ts';
import { createFairTurns } from './fair-turns.ts';
import { HELD_KINDS, type HeldKind, heldNow, hold } from './held.ts';
import { createPump } from './jobs/pump.ts';
import { createKeyedLimiter } from './keyed-limiter.ts';
import { createLog } from './log.ts';
import { followChanges } from './http/follow-changes.ts';

const HOUR_MS = 3_600_000;
const nothing = Object.fromEntries(HELD_KINDS.map((kind) => [kind, 0]));
const all = (): Record<string, number> => Object.fromEntries(HELD_KINDS.map((kind) => [kind, heldNow(kind)]));
afterEach(() => assert.deepEqual(all(), nothing));

/** How each work ends, and when in the order of all. */
const worksOf = fc.array(
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(50), ends: fc.constantFrom('well', 'failing'), order: fc.nat(100) }),
  { minLength: 1, maxLength: 30 },
);
type Works = typeof worksOf extends fc.Arbitrary<infer T> ? T : never;

/** Runs all works, lets them end in their order, and resolves when each of them has. Returns the most that was held of a kind meanwhile. */
async function endAll(
  works: Works,
  kind: HeldKind,
  run: (of: Works[number], work: () => Promise<void>) => Promise<unknown>,
): Promise<number> {
  const gates = works.map(() => Promise.withResolvers<void>());
  const outcomes = works.map((of, at) => run(of, () => gates[at]?.promise ?? Promise.resolve()).catch(() => undefined));
  await turn();
  const most = heldNow(kind);
  const order = works.map((of, at) => ({ ...of, at })).toSorted((one, other) => one.order - other.order);
  for (const { at, ends } of order) {
    if (ends === 'well') gates[at]?.resolve();
    else gates[at]?.reject(new Error('on purpose'));
    gates[at]?.promise.catch(() => undefined);
    await turn();
  }
  await Promise.all(outcomes);
  return most;
}

describe('an amount', () => {
  it('is held until it is disposed of, by construct, once', () => {
    const work = (): never => {
      using held = hold('jobs', 2);
      held.add(3);
      assert.equal(heldNow('jobs'), 5);
      throw new Error('on purpose');
    };
    assert.throws(work, /on purpose/);
    assert.equal(heldNow('jobs'), 0);
    const twice = hold('jobs');
    twice[Symbol.dispose]();
    twice[Symbol.dispose]();
    twice.add(1);
    assert.equal(heldNow('jobs'), 0);
  });
});

describe('after all work has ended, in whichever order and however, nothing is held', () => {
  it('of bytes that wait to be stored', async () => {
    await fc.assert(
      fc.asyncProperty(worksOf, async (works) => {
        const shares = createByteShares({ total: 200, perKey: 80 });
        const most = await endAll(works, 'queued_bytes', async ({ key, bytes }, work) => {
          using share = shares.hold(key, bytes);
          if (share) await work();
        });
        assert.equal(
          most > 0,
          works.some(({ bytes }) => bytes > 0),
        );
        assert.deepEqual(all(), nothing);
        assert.ok(shares.hold('last', 200)?.[Symbol.dispose]() === undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('of turns, of places to wait and of the bytes they hold, also when some are refused', async () => {
    await fc.assert(
      fc.asyncProperty(worksOf, async (works) => {
        const turns = createFairTurns({ slots: 3, perPart: 2, waitingMax: 6, bytesMax: 400, waitMs: HOUR_MS });
        const most = await endAll(works, 'turns', ({ key, bytes }, work) => turns({ key, bytes, part: key }, work));
        assert.ok(most > 0 && most <= 3);
        assert.deepEqual(all(), nothing);
      }),
      { numRuns: 30 },
    );
  });

  it('of turns that were waited for too long', async () => {
    const turns = createFairTurns({ slots: 2, waitingMax: 10, waitMs: 1 });
    const gate = Promise.withResolvers<void>();
    const running = turns({ key: 'a' }, () => gate.promise);
    const waiting = ['a', 'a', 'a'].map((key) => turns({ key }, () => gate.promise));
    assert.ok(heldNow('turns_waiting') > 0);
    for (const one of waiting) await assert.rejects(one, { reason: 'waited' });
    assert.deepEqual([heldNow('turns'), heldNow('turns_waiting')], [1, 0]);
    gate.resolve();
    await running;
  });

  it('of slots and of places to wait for one', async () => {
    await fc.assert(
      fc.asyncProperty(worksOf, async (works) => {
        const inTurn = createKeyedLimiter({ total: 4, perKey: 2 });
        const most = await endAll(works, 'slots', ({ key }, work) => inTurn(key, work));
        assert.ok(most > 0 && most <= 4);
        assert.deepEqual(all(), nothing);
      }),
      { numRuns: 30 },
    );
  });

  it('of rows that are claimed', async () => {
    await fc.assert(
      fc.asyncProperty(worksOf, async (works) => {
        const pump = createPump({ round: async () => false, pollMs: HOUR_MS, log: createLog('silent'), what: 'a test' });
        const most = await endAll(works, 'claims', (_of, work) => pump.track(work()));
        assert.equal(most, works.length);
        assert.equal(pump.inFlight(), 0);
        assert.deepEqual(all(), nothing);
      }),
      { numRuns: 30 },
    );
  });

  it('of followers of changes, which stop by themselves, from outside, or both', async () => {
    const log = createLog('silent');
    await fc.assert(
      fc.asyncProperty(worksOf, async (works) => {
        const most = await endAll(works, 'stream_followers', async (_of, work) => {
          const follow = followChanges({ log, what: 'a test', read: async () => undefined, subscribe: () => () => undefined });
          try {
            await work();
            follow.stop();
          } finally {
            follow.stop();
          }
        });
        assert.equal(most, works.length);
        assert.deepEqual(all(), nothing);
      }),
      { numRuns: 30 },
    );
  });

  it('of threads: done, failed, refused, ended at a deadline, or with the pool', async () => {
    const file = new URL('./compute/test-tasks.ts', import.meta.url);
    const where = defineTask<typeof whereAmI>({ file, name: 'whereAmI', deadlineMs: HOUR_MS });
    const late = defineTask<typeof whereAmI>({ file, name: 'whereAmI', deadlineMs: 0 });
    const failing = defineTask<typeof fail>({ file, name: 'fail', deadlineMs: HOUR_MS });
    const options: ComputeOptions = { threads: 2, waitingMax: 6, bytesMax: 100, waitMs: HOUR_MS };
    await fc.assert(
      fc.asyncProperty(worksOf, fc.boolean(), async (works, closesEarly) => {
        const pool = createComputePool(options);
        const outcomes = works.map(({ key, bytes, ends, order }) => {
          const at = { key, bytes };
          const work =
            order > 90 ? pool.run(late, undefined, at) : ends === 'well' ? pool.run(where, undefined, at) : pool.run(failing, 'x', at);
          return work.catch(() => undefined);
        });
        assert.equal(heldNow('threads'), works.length);
        if (closesEarly) await pool.close();
        await Promise.all(outcomes);
        await pool.close();
        assert.deepEqual(all(), nothing);
      }),
      { numRuns: 4 },
    );
  });
});
