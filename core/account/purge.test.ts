import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BATCH_ROWS_MAX, nextBatchRows, pauseAfterMs, purgeRetryMs } from './purge.ts';

it('a purge that waits is tried again after five seconds, doubled to five minutes', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 8, 1000].map((tries) => purgeRetryMs(tries)),
    [5_000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000],
  );
});

it('a batch grows while it is quick, shrinks when it is slow, and never exceeds 5,000 rows', () => {
  assert.deepEqual(
    [nextBatchRows(1_000, 20), nextBatchRows(4_000, 20), nextBatchRows(4_000, 150), nextBatchRows(4_000, 400), nextBatchRows(100, 9_000)],
    [2_000, BATCH_ROWS_MAX, 4_000, 2_000, 100],
  );
  assert.equal(nextBatchRows(200, 10, 200), 200);
});

it('the pause after a batch is as long as the batch, within bounds', () => {
  assert.deepEqual([0, 80.2, 90_000].map(pauseAfterMs), [5, 81, 1_000]);
});
