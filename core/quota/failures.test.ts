import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freeFailures, secondsToNextDay } from './failures.ts';

describe('the runs that may fail free on one day', () => {
  for (const [credits, atLeast, free] of [
    [0, 100, 100],
    [500, 100, 100],
    [1_500, 100, 100],
    [1_501, 100, 101],
    [50_000, 100, 3_334],
    [50_000, 5_000, 5_000],
    [0, 1, 1],
  ] as const)
    it(`are ${free} with ${credits} credits a month and at least ${atLeast}`, () => assert.equal(freeFailures(credits, atLeast), free));

  it('are never fewer than the setting, never fall with more credits, and cover two average days', () => {
    for (const atLeast of [1, 100, 10_000])
      for (let credits = 0; credits < 200_000; credits += 997) {
        const free = freeFailures(credits, atLeast);
        assert.ok(free >= atLeast && Number.isInteger(free));
        assert.ok(free >= (credits / 30) * 2 && free <= freeFailures(credits + 997, atLeast));
      }
  });
});

it('the next day begins after 1 to 86,400 seconds, whatever the time', () => {
  assert.equal(secondsToNextDay(new Date('2026-11-22T00:00:00.000Z')), 86_400);
  assert.equal(secondsToNextDay(new Date('2026-11-22T23:59:59.999Z')), 1);
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2026, 0, 3); at += 7_919_123) {
    const next = new Date(at + secondsToNextDay(new Date(at)) * 1_000);
    assert.ok(next.getUTCDate() !== new Date(at).getUTCDate() && next.getTime() % 86_400_000 < 1_000);
  }
});
