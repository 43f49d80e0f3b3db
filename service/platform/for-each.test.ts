import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEach } from './for-each.ts';

describe('work on many items', () => {
  it('begins them in their order, and never more than the limit at a time', async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    await forEach([1, 2, 3, 4, 5, 6, 7], 3, async (item, index) => {
      assert.equal(index, item - 1);
      begun.push(item);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    });
    assert.deepEqual([begun, most, running], [[1, 2, 3, 4, 5, 6, 7], 3, 0]);
    await forEach([], 3, async () => assert.fail('there is nothing'));
  });

  it('begins none after a failure, and throws it when all that had begun have ended', async () => {
    const slow = Promise.withResolvers<undefined>();
    const ended: string[] = [];
    let isOver = false;
    const whole = forEach(['slow', 'broken', 'late'], 2, async (item) => {
      if (item === 'broken') throw new Error('broken');
      if (item === 'slow') await slow.promise;
      ended.push(item);
    }).finally(() => (isOver = true));
    whole.catch(() => undefined);
    await new Promise(setImmediate);
    assert.equal(isOver, false, 'one is still under way');
    slow.resolve(undefined);
    await assert.rejects(whole, /broken/);
    assert.deepEqual(ended, ['slow']);
  });
});
