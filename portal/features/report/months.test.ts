import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatHour, formatMonth, formatWeekday, monthAt, monthParam, monthsBetween } from './months.ts';

describe('the months of a report', () => {
  it('run from the newest to the first, across years, and are few', () => {
    assert.deepEqual(monthsBetween('2025-11', '2026-02'), ['2026-02', '2026-01', '2025-12', '2025-11']);
    assert.deepEqual(monthsBetween('2026-02', '2026-02'), ['2026-02']);
    assert.deepEqual(monthsBetween('2026-03', '2026-02'), []);
    assert.equal(monthsBetween('1970-01', '2026-02').length, 60);
  });

  it('are those of the client’s time zone, and of UTC where the zone is not known', () => {
    const at = '2026-11-01T02:00:00Z';
    assert.deepEqual(
      ['America/Chicago', 'Asia/Tokyo', 'Nowhere/Land'].map((zone) => monthAt(at, zone)),
      ['2026-10', '2026-11', '2026-11'],
    );
  });

  it('are taken from an address only as a month', () => {
    assert.deepEqual(['2026-10', '2026-13', '2026-1', 202610, undefined].map(monthParam), [
      '2026-10',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are named, as weekdays and hours, in the language of the reader', () => {
    assert.deepEqual([formatMonth('2026-10', 'de-DE'), formatMonth('2026-03', 'es-ES', { month: 'long' })], ['Oktober 2026', 'marzo']);
    assert.deepEqual([formatWeekday(1, 'en-GB', 'long'), formatWeekday(7, 'de-DE', 'short')], ['Monday', 'So']);
    assert.equal(formatHour(14, 'es-ES'), '14:00');
  });
});
