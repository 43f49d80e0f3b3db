import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCEPT_CHECKS,
  bodyProblemOf,
  decideEvents,
  type EventFacts,
  BODY_PROBLEMS,
  isDecidedBeforeRate,
  isRefusedForAll,
} from './acceptance.ts';

const GOOD: EventFacts = {
  partnerId: 'p',
  isFound: true,
  isAccountActive: true,
  isWorkflowActive: true,
  isOverRate: false,
  isReplay: false,
  isOtherBody: false,
  bodyProblem: null,
  cost: 2,
};
const CREDITS = new Map([['p', { taken: 0, limit: 10, failed: 99, failedFree: 100 }]]);
const NONE = new Map([['p', { taken: 9, limit: 10, failed: 100, failedFree: 100 }]]);
const FAILED = new Map([['p', { taken: 0, limit: 10, failed: 100, failedFree: 100 }]]);

/** What makes each check apply, in the order of the checks. */
const CAUSES: [name: string, cause: Partial<EventFacts>][] = [
  ['not_found', { isFound: false }],
  ['replayed', { isReplay: true }],
  ['idempotency_key_reused', { isReplay: true, isOtherBody: true }],
  ['account_suspended', { isAccountActive: false }],
  ['workflow_inactive', { isWorkflowActive: false }],
  ['rate_limited', { isOverRate: true }],
];

describe('an event', () => {
  it('is accepted when nothing is wrong with it', () => assert.deepEqual(decideEvents([GOOD], CREDITS), ['accepted']));

  for (const [index, [name]] of CAUSES.entries()) {
    it(`is ${name} whatever later checks would find`, () => {
      // A key that was used with another body is no replay, so the cause of this check comes last.
      const everythingAfter = Object.assign(
        {},
        GOOD,
        ...CAUSES.slice(index + 1)
          .filter(([later]) => later !== 'idempotency_key_reused')
          .map(([, cause]) => cause),
        CAUSES[index]?.[1],
        { bodyProblem: 'missing_input' },
      );
      assert.deepEqual(decideEvents([everythingAfter], NONE), [name]);
    });
  }

  it('is refused for credits before its body is judged, and for its body after', () => {
    assert.deepEqual(decideEvents([{ ...GOOD, bodyProblem: 'malformed_json' }], NONE), ['quota_exceeded']);
    assert.deepEqual(decideEvents([{ ...GOOD, bodyProblem: 'malformed_json' }], CREDITS), ['malformed_json']);
    assert.deepEqual(decideEvents([GOOD], new Map()), ['quota_exceeded']);
  });

  it('is refused after too many failed runs of the day, after the credits and before its body', () => {
    assert.deepEqual(decideEvents([GOOD, { ...GOOD, bodyProblem: 'malformed_json' }, { ...GOOD, isReplay: true }], FAILED), [
      'failures_exceeded',
      'failures_exceeded',
      'replayed',
    ]);
    assert.deepEqual(decideEvents([GOOD], NONE), ['quota_exceeded']);
  });

  it('shares the credits with those before it in the batch, except those that want none', () => {
    const five = [GOOD, GOOD, { ...GOOD, bodyProblem: 'missing_input' as const }, GOOD, { ...GOOD, isReplay: true }, GOOD, GOOD, GOOD];
    assert.deepEqual(decideEvents(five, CREDITS), [
      'accepted',
      'accepted',
      'missing_input',
      'accepted',
      'replayed',
      'accepted',
      'accepted',
      'quota_exceeded',
    ]);
  });
});

describe('a run of a chatbot', () => {
  const chat: EventFacts = { ...GOOD, isChat: true };
  const credits = (given: object) =>
    new Map([['p', { taken: 0, limit: 100, failed: 0, failedFree: 100, chat: { taken: 0, sharePercent: 40 }, ...given }]]);

  it('is accepted within the share of chatbots, and refused beyond it, as no event is', () => {
    const used = credits({ taken: 38, chat: { taken: 38, sharePercent: 40 } });
    assert.deepEqual(decideEvents([chat, { ...chat }, GOOD], used), ['accepted', 'chat_budget_exceeded', 'accepted']);
  });

  it('leaves the credits alone that are kept for events', () => {
    assert.deepEqual(decideEvents([chat, GOOD], credits({ taken: 87 })), ['chat_budget_exceeded', 'accepted']);
    assert.deepEqual(decideEvents([chat], credits({ taken: 88 })), ['accepted']);
  });

  it('takes no credits from an event of its batch, also when it came first', () => {
    assert.deepEqual(decideEvents([chat, GOOD], credits({ taken: 97 })), ['quota_exceeded', 'accepted']);
  });
});

it('the checks are declared in the order in which they are made', () => {
  assert.deepEqual(ACCEPT_CHECKS.slice(0, CAUSES.length), CAUSES.map(([name]) => name)); // prettier-ignore
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
