import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeProgress } from './report.ts';

it('progress is the part of the expected work that is done, and what the rest takes at the pace so far', () => {
  assert.equal(describeProgress(0, 100_000, 0).trimEnd(), '  0 %');
  // A hundredth says nothing about the others.
  assert.equal(describeProgress(1_000, 99_000, 60_000).trimEnd(), '  1 %');
  assert.equal(describeProgress(25_000, 75_000, 100_000).trimEnd(), ' 25 %   5 min left');
  assert.equal(describeProgress(99_000, 1_000, 990_000).trimEnd(), ' 99 %  10 s left');
  assert.equal(describeProgress(100_000, 0, 990_000).trimEnd(), '100 %');
  const lengths = [describeProgress(0, 1, 0), describeProgress(1, 1, 5_000), describeProgress(1, 1, 500_000), describeProgress(1, 0, 1)];
  assert.deepEqual([...new Set(lengths.map((text) => text.length))], [18]);
});
