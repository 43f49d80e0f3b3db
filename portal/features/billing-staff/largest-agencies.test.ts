import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { largestAgencies } from './largest-agencies.ts';

const agency = (key: string, credits: number) => ({ key, label: key.toUpperCase(), credits, runs: credits + 1, failed: 1 });
const shown = (count: number, most: number) =>
  largestAgencies(
    Array.from({ length: count }, (_, n) => agency(`a${n}`, n)),
    most,
  ).map(({ label, credits, runs, failed, isRest }) => [label, credits, runs, failed, isRest]);

describe('the agencies of a chart', () => {
  it('are those with most credits, largest first, and the others as one with their sum', () => {
    assert.deepEqual(shown(5, 2), [
      ['A4', 4, 5, 1, false],
      ['A3', 3, 4, 1, false],
      ['3 others', 3, 6, 3, true],
    ]);
  });

  it('are all of them where one more is no more than the line of the others', () => {
    assert.deepEqual(
      shown(3, 2).map(([label]) => label),
      ['A2', 'A1', 'A0'],
    );
    assert.deepEqual(shown(0, 2), []);
  });
});
