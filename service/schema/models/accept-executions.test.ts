import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCEPT_CHECKS } from '@partner-portal/core/execution/acceptance.ts';
import { decideEvents, type EventFacts, freeFailures } from './accept-executions.ts';

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

/** Conditions that make each check apply, in the order of the checks. */
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
      'retry',
    ]);
  });

  it('leaves the credits to the next when they do not suffice for it', () => {
    const two = new Map([['p', { taken: 8, limit: 10, failed: 0, failedFree: 100 }]]);
    assert.deepEqual(decideEvents([{ ...GOOD, cost: 3 }, GOOD], two), ['quota_exceeded', 'accepted']);
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
    assert.deepEqual(decideEvents([chat, GOOD], credits({ taken: 97 })), ['retry', 'accepted']);
  });
});

it('the checks are declared in the order in which they are made', () => {
  assert.deepEqual(ACCEPT_CHECKS.slice(0, CAUSES.length), CAUSES.map(([name]) => name)); // prettier-ignore
});

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
