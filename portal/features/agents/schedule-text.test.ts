import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProblemText, plannedOutcomeText, ruleText, skipText } from './schedule-text.ts';

const rule = (every: 'hour' | 'day' | 'week', at: string, weekdays: number[] = []) => ({ every, at, weekdays, timezone: 'UTC' });

describe('schedule text', () => {
  it('states how often, when and on which days', () => {
    assert.equal(ruleText(rule('day', '07:00')), 'every day at 07:00');
    assert.equal(ruleText(rule('day', '07:00', [1, 2, 3, 4, 5, 6, 7])), 'every day at 07:00');
    assert.equal(ruleText(rule('week', '08:30', [1])), 'every Monday at 08:30');
    assert.equal(ruleText(rule('week', '08:30', [1, 3, 5])), 'every Monday, Wednesday and Friday at 08:30');
    assert.equal(ruleText(rule('hour', '00:15')), 'every hour at :15');
    assert.equal(ruleText(rule('hour', '00:15', [6])), 'every hour at :15, on Saturday');
  });

  it('explains why an occurrence was skipped, including for an unknown reason', () => {
    assert.match(skipText('quota_exceeded'), /credits/);
    assert.equal(skipText('something_new'), 'it could not be started');
    assert.equal(skipText(null), 'it could not be started');
  });
});

describe('booking check text', () => {
  it('explains a failed check, including for an unknown reason', () => {
    assert.match(checkProblemText('key_refused'), /refused the key/);
    assert.match(checkProblemText('key_shared'), /several clients.*no reminder is planned.*its own key/);
    assert.equal(checkProblemText('something_new'), 'the bookings could not be read');
  });
  it('states the outcome of a planned execution', () => {
    assert.equal(plannedOutcomeText({ status: 'started', reason: null }), 'started');
    assert.match(plannedOutcomeText({ status: 'missed', reason: 'too_late' }), /too late/);
    assert.match(plannedOutcomeText({ status: 'cancelled', reason: 'answered' }), /answered/);
    assert.match(plannedOutcomeText({ status: 'cancelled', reason: 'workflow_inactive' }), /the agent was off/);
    assert.match(plannedOutcomeText({ status: 'skipped', reason: 'quota_exceeded' }), /credits/);
    assert.match(plannedOutcomeText({ status: 'skipped', reason: 'earlier_waits' }), /still waited/);
    assert.match(plannedOutcomeText({ status: 'skipped', reason: 'later_is_due' }), /a later one/);
  });
});
