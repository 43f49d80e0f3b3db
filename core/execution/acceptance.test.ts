import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCEPT_CHECKS, BODY_PROBLEMS, bodyProblemOf, isDecidedBeforeRate, isRefusedForAll } from './acceptance.ts';

it('the checks before the rate limit are those of who may send', () => {
  assert.deepEqual(ACCEPT_CHECKS.filter(isDecidedBeforeRate), [
    'not_found',
    'replayed',
    'idempotency_key_reused',
    'account_suspended',
    'workflow_inactive',
  ]);
  assert.equal(isDecidedBeforeRate('accepted'), false);
});

it('a body is read before it is measured, and measured before its members are missed', () => {
  const fine = { unreadable: null, isTooDeep: false, isTooLarge: false, missing: 0 };
  assert.equal(bodyProblemOf(fine), null);
  assert.equal(bodyProblemOf({ ...fine, missing: 2 }), 'missing_input');
  assert.equal(bodyProblemOf({ ...fine, isTooLarge: true, missing: 2 }), 'too_large');
  assert.equal(bodyProblemOf({ ...fine, isTooDeep: true, isTooLarge: true, missing: 2 }), 'validation_failed');
  assert.equal(bodyProblemOf({ ...fine, unreadable: 'malformed_json', isTooDeep: true, missing: 2 }), 'malformed_json');
});

describe('a refusal', () => {
  for (const outcome of [...ACCEPT_CHECKS, ...BODY_PROBLEMS]) {
    const isOfTheEvent = [...BODY_PROBLEMS, 'body_problem', 'rate_limited', 'replayed', 'idempotency_key_reused'].includes(outcome);
    it(`${outcome} ${isOfTheEvent ? 'says nothing about' : 'holds for'} the next events`, () => {
      assert.equal(isRefusedForAll(outcome), !isOfTheEvent);
    });
  }
});
