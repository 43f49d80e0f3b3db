import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { creditsElsewhere, usageSince } from './breakdown.ts';

describe('a breakdown of credits', () => {
  it('and what it lacks or has too much are what the meter shows', () => {
    assert.equal(creditsElsewhere(16, [{ credits: 9 }, { credits: 7 }]), 0);
    assert.equal(creditsElsewhere(16, [{ credits: 9 }]), 7);
    assert.equal(creditsElsewhere(16, [{ credits: 20 }]), -4);
    assert.equal(creditsElsewhere(0, []), 0);
  });

  it('begins with the hour in which the period began', () => {
    for (const start of ['2026-11-28T13:27:10.123Z', '2026-11-28T13:00:00.000Z'])
      assert.equal(usageSince(new Date(start)).toISOString(), '2026-11-28T13:00:00.000Z');
  });
});
