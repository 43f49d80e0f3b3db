import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterAttempt, type AttemptOutcome, type DeliveryPast, type DeliveryStep, waitAfterMs } from './delivery.ts';

const past = (attemptCount = 0, interruptedCount = 0): DeliveryPast => ({ attemptCount, interruptedCount });
const answer = (status: number): AttemptOutcome => ({ kind: 'answer', status });
const again = (error: DeliveryStep['error'], waitMs: number) => ({ error, counts: true, next: 'again', waitMs });
const failed = (error: DeliveryStep['error'], reason: string) => ({ error, counts: true, next: 'failed', reason });

describe('an attempt', () => {
  const cases: [string, AttemptOutcome, DeliveryPast, object][] = [
    ['answered 200 delivers', answer(200), past(), { error: null, counts: true, next: 'delivered' }],
    ['answered 299 delivers, also as the fifth', answer(299), past(4), { error: null, counts: true, next: 'delivered' }],
    [
      'answered 200 delivers, also when the rest of the response does not arrive',
      { kind: 'answer', status: 200, bodyError: 'timeout' },
      past(),
      { error: 'timeout', counts: true, next: 'delivered' },
    ],
    ['answered 503 without the rest is tried again', { kind: 'answer', status: 503, bodyError: 'timeout' }, past(), again('status', 5_000)],
    ['answered 199 does not', answer(199), past(), again('status', 5_000)],
    ['answered 301 is a redirect, which is not followed', answer(301), past(), again('redirect', 5_000)],
    ['answered 399 is one as well', answer(399), past(1), again('redirect', 10_000)],
    ['answered 400 is tried again', answer(400), past(2), again('status', 20_000)],
    ['answered 500 is tried again', answer(500), past(3), again('status', 40_000)],
    ['answered 500 five times fails', answer(500), past(4), failed('status', 'attempts_exhausted')],
    ['answered 410 is tried again like any other', answer(410), past(), again('status', 5_000)],
    [
      'to a private address ends it at once',
      { kind: 'no_answer', error: 'private_address' },
      past(),
      failed('private_address', 'private_address'),
    ],
    [
      'to what is no address ends it at once',
      { kind: 'no_answer', error: 'bad_address' },
      past(2),
      failed('bad_address', 'private_address'),
    ],
    ['without an answer is tried again', { kind: 'no_answer', error: 'timeout' }, past(), again('timeout', 5_000)],
    ['that found no host is tried again', { kind: 'no_answer', error: 'name_not_found' }, past(1), again('name_not_found', 10_000)],
    ['without an answer five times fails', { kind: 'no_answer', error: 'tls_failed' }, past(4), failed('tls_failed', 'attempts_exhausted')],
    [
      'of ours that was cut off is made again at once and not counted',
      { kind: 'interrupted' },
      past(4, 0),
      { error: 'interrupted', counts: false, next: 'again', waitMs: 0 },
    ],
    [
      'cut off a second time is forgiven as well, and waits',
      { kind: 'interrupted' },
      past(0, 1),
      { error: 'interrupted', counts: false, next: 'again', waitMs: 5_000 },
    ],
    [
      'cut off a third time is forgiven for the last time',
      { kind: 'interrupted' },
      past(0, 2),
      { error: 'interrupted', counts: false, next: 'again', waitMs: 10_000 },
    ],
    ['cut off a fourth time counts', { kind: 'interrupted' }, past(0, 3), again('interrupted', 5_000)],
    ['cut off once too often as the fifth fails', { kind: 'interrupted' }, past(4, 3), failed('interrupted', 'attempts_exhausted')],
  ];
  for (const [name, outcome, before, expected] of cases) it(name, () => assert.deepEqual(afterAttempt(outcome, before), expected));
});

describe('the schedule', () => {
  it('waits 5, 10, 20 and 40 s', () => assert.deepEqual([1, 2, 3, 4].map(waitAfterMs), [5_000, 10_000, 20_000, 40_000]));

  it('always ends after at most five counted and three uncounted attempts', () => {
    // Every sequence of outcomes that never delivers, by a seeded walk.
    let seed = 7;
    const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
    const bad: AttemptOutcome[] = [answer(500), answer(302), answer(429), { kind: 'no_answer', error: 'timeout' }, { kind: 'interrupted' }];
    for (let walk = 0; walk < 500; walk += 1) {
      const state = past();
      let step: DeliveryStep;
      let tries = 0;
      do {
        step = afterAttempt(bad[random(bad.length)] ?? answer(500), { ...state });
        tries += 1;
        if (step.counts) state.attemptCount += 1;
        if (step.error === 'interrupted') state.interruptedCount += 1;
      } while (step.next === 'again');
      assert.equal(step.next, 'failed');
      assert.equal(state.attemptCount, 5);
      assert.ok(tries <= 8, `${tries}`);
    }
  });
});
