import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { daysOf, nextBoundary, nextPeriod, periodBoundary, shareLeft } from './period.ts';

const at = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00.000Z` : text);
/** Whole seconds of some hundred years. */
const instants = fc
  .integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 })
  .map((second) => new Date(second * 1000));

describe('the boundaries of periods', () => {
  it('are on the day of month of the anchor, clamped to the month', () => {
    const boundaries = (anchor: string, count: number) =>
      Array.from({ length: count }, (_, index) => periodBoundary(at(anchor), index).toISOString().slice(0, 10));
    assert.deepEqual(boundaries('2026-01-31', 4), ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
    assert.deepEqual(boundaries('2028-01-30', 3), ['2028-01-30', '2028-02-29', '2028-03-30']);
    assert.deepEqual(boundaries('2026-11-15', 3), ['2026-11-15', '2026-12-15', '2027-01-15']);
  });

  it('keep the time of day, in UTC', () =>
    assert.deepEqual(periodBoundary(at('2026-01-31T23:59:59.123Z'), 1), at('2026-02-28T23:59:59.123Z')));

  for (const [anchor, instant, next] of [
    ['2026-01-31', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-27', '2026-02-28'],
    ['2026-01-31', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2025-12-01', '2025-12-31'],
    ['2026-01-31T12:00:00.000Z', '2026-02-28T11:59:59.999Z', '2026-02-28T12:00:00.000Z'],
  ] as const)
    it(`after ${instant} from ${anchor} is ${next}`, () => assert.deepEqual(nextBoundary(at(anchor), at(instant)), at(next)));

  it('are the first ones after an instant: none lies between, and all are boundaries of the anchor', () => {
    fc.assert(
      fc.property(instants, instants, (anchor, instant) => {
        const next = nextBoundary(anchor, instant);
        const months = (next.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + next.getUTCMonth() - anchor.getUTCMonth();
        assert.ok(next > instant && periodBoundary(anchor, months - 1) <= instant);
        assert.deepEqual(periodBoundary(anchor, months), next);
      }),
    );
  });

  it('divide time: each period begins where the one before ends, and the days add up', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 30 }), (anchor, count) => {
        let period = { start: anchor, end: nextBoundary(anchor, anchor) };
        let days = daysOf(period);
        for (let index = 1; index < count; index += 1) {
          const next = nextPeriod(anchor, period);
          assert.deepEqual(next.start, period.end);
          assert.ok(daysOf(next) >= 28 && daysOf(next) <= 31);
          period = next;
          days += daysOf(next);
        }
        assert.equal(days, daysOf({ start: anchor, end: period.end }));
      }),
    );
  });
});

describe('what is left of a period', () => {
  const march = { start: at('2026-03-01T09:00:00.000Z'), end: at('2026-04-01T09:00:00.000Z') };
  for (const [now, days] of [
    ['2026-03-01T09:00:00.000Z', 31],
    ['2026-03-01T23:59:59.999Z', 31],
    ['2026-03-02T00:00:00.000Z', 30],
    ['2026-03-22T12:00:00.000Z', 10],
    ['2026-03-31T23:59:59.999Z', 1],
    ['2026-04-01T08:59:59.999Z', 1],
    ['2026-02-01', 31],
    ['2026-05-01', 1],
  ] as const)
    it(`at ${now} is ${days} of 31 days`, () => assert.deepEqual(shareLeft(march, at(now)), { days, of: 31 }));

  it('falls by a day at each midnight UTC and is never none', () => {
    fc.assert(
      fc.property(instants, fc.nat(40 * 86_400), (start, seconds) => {
        const period = { start, end: nextBoundary(start, start) };
        const now = new Date(start.getTime() + seconds * 1000);
        const { days, of } = shareLeft(period, now);
        assert.ok(days >= 1 && days <= of && of >= 28 && of <= 31);
        const tomorrow = shareLeft(period, new Date(now.getTime() + 86_400_000));
        assert.equal(tomorrow.days, Math.max(1, days - 1));
      }),
    );
  });

  it('is one day of a period within a day', () =>
    assert.deepEqual(shareLeft({ start: at('2026-03-01'), end: at('2026-03-01T05:00:00.000Z') }, at('2026-03-01')), { days: 1, of: 1 }));
});
