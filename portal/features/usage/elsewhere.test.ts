import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USAGE_ROWS_MAX } from '@partner-portal/core/quota/breakdown.ts';
import { elsewhereRow } from './elsewhere.ts';

const HOUR = '2026-11-01T13:00:00.000Z';
const IN_HOUR = '2026-11-01T13:27:10.123Z';
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `c${n}`, label: `Client ${n}`, credits: 2, runs: 2, failed: 0 }));
const shown = (used: number, count: number, periodStart = IN_HOUR) => {
  const row = elsewhereRow(rows(count), { used, periodStart }, HOUR);
  return row && [row.label, row.credits];
};

describe('the row with which a breakdown adds up to the meter', () => {
  it('is missing without a meter of the same period, and where the rows are all', () => {
    assert.equal(elsewhereRow(rows(3), undefined, HOUR), undefined);
    assert.equal(shown(6, 3), undefined);
  });

  it('says what the rows lack', () => {
    assert.deepEqual(shown(7, 3), ['Removed since, or begun before this period', 1]);
  });

  it('says "Others" when rows are cut off', () => {
    assert.deepEqual(shown(2 * USAGE_ROWS_MAX + 1, USAGE_ROWS_MAX), ['Others', 1]);
    assert.equal(shown(2 * USAGE_ROWS_MAX - 1, USAGE_ROWS_MAX), undefined);
  });

  it('is negative only when the period began within an hour', () => {
    assert.deepEqual(shown(5, 3), ['Used before this period, in its first hour', -1]);
    assert.equal(shown(5, 3, HOUR), undefined);
  });
});
