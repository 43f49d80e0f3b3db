import assert from 'node:assert/strict';
import { it } from 'node:test';
import { succeededPercent } from './succeeded.ts';

it('the share of succeeded runs is that of the runs that did not fail, and none without a run', () => {
  assert.deepEqual(
    [
      [0, 0],
      [4, 0],
      [4, 1],
      [3, 3],
    ].map(([runs = 0, failed = 0]) => succeededPercent({ runs, failed })),
    [null, 100, 75, 0],
  );
});
