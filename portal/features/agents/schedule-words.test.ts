import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sayLookProblem, sayPlannedEnd, sayRule, saySkipped } from './schedule-words.ts';

const rule = (every: 'hour' | 'day' | 'week', at: string, weekdays: number[] = []) => ({ every, at, weekdays, timezone: 'UTC' });

describe('schedule text', () => {
  it('states how often, when and on which days', () => {
    assert.equal(sayRule(rule('day', '07:00')), 'every day at 07:00');
    assert.equal(sayRule(rule('day', '07:00', [1, 2, 3, 4, 5, 6, 7])), 'every day at 07:00');
    assert.equal(sayRule(rule('week', '08:30', [1])), 'every Monday at 08:30');
    assert.equal(sayRule(rule('week', '08:30', [1, 3, 5])), 'every Monday, Wednesday and Friday at 08:30');
    assert.equal(sayRule(rule('hour', '00:15')), 'every hour at :15');
    assert.equal(sayRule(rule('hour', '00:15', [6])), 'every hour at :15, on Saturday');
  });

  it('explains why an occurrence was skipped, including for an unknown reason', () => {
    assert.match(saySkipped('quota_exceeded'), /credits/);
    assert.equal(saySkipped('something_new'), 'it could not be started');
    assert.equal(saySkipped(null), 'it could not be started');
  });
});

describe('booking check text', () => {
  it('explains a failed check, including for an unknown reason', () => {
    assert.match(sayLookProblem('key_refused'), /refused the key/);
    assert.equal(sayLookProblem('something_new'), 'the bookings could not be read');
  });
  it('states the outcome of a planned execution', () => {
    assert.equal(sayPlannedEnd({ status: 'started', reason: null }), 'began');
    assert.match(sayPlannedEnd({ status: 'missed', reason: 'too_late' }), /too late/);
    assert.match(sayPlannedEnd({ status: 'cancelled', reason: 'answered' }), /answered/);
    assert.match(sayPlannedEnd({ status: 'cancelled', reason: 'workflow_inactive' }), /switched off/);
    assert.match(sayPlannedEnd({ status: 'skipped', reason: 'quota_exceeded' }), /credits/);
  });
});
