import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createBatcher } from './batch.ts';
import { createPump } from './jobs/pump.ts';
import { createLog } from './log.ts';
import { BACKGROUND, createRest } from './rest.ts';

const HOUR_MS = 3_600_000;
/** Until all that does not wait for a timer has happened. */
const turn = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('work that rests', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('gives way for longer when it took longer, and never starves', () => {
    const ended: number[] = [];
    const restAfter = (tookMs: number): void => createRest(BACKGROUND).begin(tookMs, () => ended.push(tookMs));
    for (const tookMs of [HOUR_MS, 60, 1]) restAfter(tookMs);
    mock.timers.tick(19);
    assert.deepEqual(ended, []);
    mock.timers.tick(1);
    assert.deepEqual(ended, [1]);
    mock.timers.tick(100);
    assert.deepEqual(ended, [1, 60]);
    mock.timers.tick(380);
    assert.deepEqual(ended, [1, 60, HOUR_MS]);
  });

  it('does together what arrived during a rest, and a single item at once', async () => {
    const batches: number[][] = [];
    const batcher = createBatcher<number, number>({
      run: async (items) => (batches.push([...items]), items),
      itemsMax: 4,
      inFlightMax: 1,
      rest: BACKGROUND,
      isPoison: () => false,
    });
    assert.equal(await batcher.add(1), 1);
    const later: Promise<number>[] = [];
    for (const item of [2, 3, 4]) {
      later.push(batcher.add(item));
      await turn();
    }
    assert.deepEqual(batches, [[1]]);
    mock.timers.tick(500);
    assert.deepEqual(await Promise.all(later), [2, 3, 4]);
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    await batcher.settled();
  });

  it('ends its rest when a full batch waits', async () => {
    const batches: number[][] = [];
    const batcher = createBatcher<number, number>({
      run: async (items) => (batches.push([...items]), items),
      itemsMax: 2,
      inFlightMax: 1,
      rest: BACKGROUND,
      isPoison: () => false,
    });
    await batcher.add(1);
    assert.deepEqual(await Promise.all([batcher.add(2), batcher.add(3)]), [2, 3]);
    assert.deepEqual(batches, [[1], [2, 3]]);
  });

  it('starts one round for all wake-ups of a rest, and none after its stop', async () => {
    let rounds = 0;
    const pump = createPump({
      round: async () => (void (rounds += 1), false),
      pollMs: HOUR_MS,
      rest: BACKGROUND,
      log: createLog('silent'),
      what: 'a test',
    });
    pump.start();
    await turn();
    assert.equal(rounds, 1);
    for (let n = 0; n < 10; n += 1) {
      pump.wake();
      await turn();
    }
    assert.equal(rounds, 1);
    mock.timers.tick(500);
    await turn();
    assert.equal(rounds, 2);
    pump.wake();
    await pump.stop();
    mock.timers.tick(500);
    await turn();
    assert.equal(rounds, 2);
  });
});
