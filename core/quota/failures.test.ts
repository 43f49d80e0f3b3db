import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secondsToNextDay } from './failures.ts';

it('the next day begins after 1 to 86,400 seconds, whatever the time', () => {
  assert.equal(secondsToNextDay(new Date('2026-11-22T00:00:00.000Z')), 86_400);
  assert.equal(secondsToNextDay(new Date('2026-11-22T23:59:59.999Z')), 1);
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2026, 0, 3); at += 7_919_123) {
    const next = new Date(at + secondsToNextDay(new Date(at)) * 1_000);
    assert.ok(next.getUTCDate() !== new Date(at).getUTCDate() && next.getTime() % 86_400_000 < 1_000);
  }
});
