import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heatGrid, heatLevel, labelStep, niceTop } from './scale.ts';

describe('the axis of a chart', () => {
  for (const [most, top] of [
    [0, 4],
    [Number.NaN, 4],
    [-3, 4],
    [4, 4],
    [5, 10],
    [11, 20],
    [21, 40],
    [43, 50],
    [51, 100],
    [1001, 2000],
    [9_999, 10_000],
  ] as const)
    it(`ends at ${top} for ${most}`, () => assert.equal(niceTop(most), top));

  it('ends at or above every value, at an even number', () => {
    for (let most = 1; most < 20_000; most += 7) {
      const top = niceTop(most);
      assert.ok(top >= most && top % 2 === 0 && top <= Math.max(4, most * 2.6), `${most}: ${top}`);
    }
  });

  it('never has more labels than fit', () => {
    for (let buckets = 1; buckets < 400; buckets++)
      for (const room of [4, 7, 12]) assert.ok(Math.ceil(buckets / labelStep(buckets, room)) <= room, `${buckets} in ${room}`);
    assert.equal(labelStep(12, 12), 1);
    assert.equal(labelStep(30, 7), 5);
  });
});

describe('a heat map', () => {
  it('shows every value above zero, and the largest darkest', () => {
    assert.deepEqual(
      [0, 1, 200, 201, 999, 1000].map((value) => heatLevel(value, 1000)),
      [0, 1, 1, 2, 5, 5],
    );
    assert.equal(heatLevel(0, 0), 0);
  });

  it('has a place for every hour, adds up what falls together, and leaves out what has no place', () => {
    const grid = heatGrid(
      [
        { row: 0, column: 23, value: 2 },
        { row: 0, column: 23, value: 3 },
        { row: 7, column: 0, value: 9 },
        { row: 1, column: 24, value: 9 },
      ],
      7,
      24,
    );
    assert.deepEqual([grid.length, grid[0]?.length, grid[0]?.[23], grid.flat().reduce((sum, n) => sum + n)], [7, 24, 5, 5]);
  });
});
