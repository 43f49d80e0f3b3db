import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysOfThisMonth } from './days.ts';

describe('the days of an agent', () => {
  it('are those of the month of today, the first of it included, with their results and failures', () => {
    const counted = Array.from({ length: 90 }, (_, at) => ({
      date: new Date(Date.UTC(2026, 9, 31 - (89 - at))).toISOString().slice(0, 10),
      results: at === 89 ? 3 : 0,
      failed: at === 89 ? 2 : 0,
    }));
    const days = daysOfThisMonth(counted);
    assert.deepEqual([days.length, days[0]?.date], [31, '2026-10-01']);
    assert.deepEqual(days.at(-1), { date: '2026-10-31', results: 3, failed: 2 });
    assert.deepEqual(daysOfThisMonth([]), []);
  });
});
