import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hasStopped } from './run-outcome.ts';

it('an agent that planned a reminder or a nudge for later did its work, one that stopped did not', () => {
  const stopped = { skipped: true, reason: 'not_due' };
  assert.equal(hasStopped({ output: { skipped: true, reason: 'on_stop_list' } }), true);
  assert.equal(hasStopped({ output: stopped }), true);
  assert.equal(hasStopped({ output: { ...stopped, nextReminderAt: '2027-01-08T18:00:00.000Z' } }), false);
  assert.equal(hasStopped({ output: { ...stopped, nextNudgeAt: '2027-01-08T18:00:00.000Z' } }), false);
  assert.equal(hasStopped({ output: { ...stopped, reason: 'no_way_to_reach', nextReminderAt: '2027-01-08T18:00:00.000Z' } }), true);
  assert.equal(hasStopped({ output: { messageId: 's1' } }), false);
  assert.equal(hasStopped({ output: null }), false);
});
