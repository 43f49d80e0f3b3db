import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addMonths, chooseMonth, dueReport, startOfMonth, trendMonths } from './month.ts';

describe('the month of a report', () => {
  it('is the one asked for, else the newest that ended, else the running one of a new client', () => {
    const now = new Date('2026-11-01T03:00:00Z');
    const ask = (month: string | undefined, timezone: string, created = '2026-03-10T00:00:00Z') =>
      chooseMonth({ month, now, createdAt: new Date(created), timezone });
    assert.deepEqual(ask(undefined, 'Europe/Berlin'), { month: '2026-10', isFinished: true });
    // In Chicago it is still October.
    assert.deepEqual(ask(undefined, 'America/Chicago'), { month: '2026-09', isFinished: true });
    assert.deepEqual(ask('2026-10', 'America/Chicago'), { month: '2026-10', isFinished: false });
    assert.deepEqual(ask(undefined, 'America/Chicago', '2026-10-20T00:00:00Z'), { month: '2026-10', isFinished: false });
    assert.equal(ask('2026-11', 'America/Chicago'), 'not_begun');
    assert.equal(ask('2026-02', 'America/Chicago'), 'too_early');
  });

  it('begins at its first moment in the zone, also where the clock changes on that day, and in UTC for an unknown zone', () => {
    for (const [month, timezone, at] of [
      ['2026-11', 'America/Chicago', '2026-11-01T05:00:00.000Z'],
      ['2026-12', 'America/Chicago', '2026-12-01T06:00:00.000Z'],
      ['2026-11', 'Asia/Kolkata', '2026-10-31T18:30:00.000Z'],
      ['2026-11', 'Nowhere/Land', '2026-11-01T00:00:00.000Z'],
    ] as const)
      assert.equal(startOfMonth(month, timezone).toISOString(), at);
    assert.equal(addMonths('2026-01', -1), '2025-12');
  });

  it('has a trend of twelve months at most, none before the first with a run', () => {
    assert.deepEqual([trendMonths('2026-10', '2020-01').length, trendMonths('2026-10', '2020-01')[0]], [12, '2025-11']);
    assert.deepEqual(trendMonths('2026-10', '2026-09'), ['2026-09', '2026-10']);
    assert.deepEqual(trendMonths('2026-10', '2026-12'), ['2026-10']);
  });
});

describe('the day on which a report is due', () => {
  for (const [name, at, timezone, month] of [
    ['from nine on a first that is a Tuesday', '2026-12-01T15:00:00Z', 'America/Chicago', '2026-11'],
    ['not before nine', '2026-12-01T14:59:59Z', 'America/Chicago', null],
    ['on Monday the second when the first is a Sunday', '2026-11-02T08:00:00Z', 'Europe/Berlin', '2026-10'],
    ['not on that Sunday', '2026-11-01T12:00:00Z', 'Europe/Berlin', null],
    ['on Monday the third when the first is a Saturday', '2026-08-03T07:00:00Z', 'Europe/Berlin', '2026-07'],
    ['for ten days', '2026-12-11T14:59:00Z', 'America/Chicago', '2026-11'],
    ['not later', '2026-12-11T15:00:00Z', 'America/Chicago', null],
    ['across the year', '2027-01-01T20:00:00Z', 'America/Chicago', '2026-12'],
  ] as const)
    it(`is ${name}`, () => assert.equal(dueReport(new Date(at), timezone)?.month ?? null, month));
});
