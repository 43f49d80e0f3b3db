import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterDispatch, afterLookup, afterRecovery } from './dispatch.ts';

describe('after a dispatch', () => {
  const once = { attempts: 1, misses: 0, isBeingSetUp: false };
  it('an execution that may be running is not sent again: the engine is asked about it', () => {
    assert.deepEqual(afterDispatch('accepted', once), { next: 'done' });
    assert.deepEqual(afterDispatch('ambiguous', once), { next: 'ask', waitMs: 500 });
  });
  it('an unreachable engine is retried without limit, at most 30 s apart', () => {
    const waits = [1, 2, 3, 7, 500].map((attempts) => afterDispatch('unreachable', { ...once, attempts }));
    assert.deepEqual(
      waits.map((step) => step.next === 'again' && step.waitMs),
      [500, 1000, 2000, 30_000, 30_000],
    );
  });
  it('a flow that is switched off or deleted is final after several misses, each in its own words', () => {
    const texts = (['not_found', 'gone'] as const).map((answer) => {
      assert.equal(afterDispatch(answer, { ...once, misses: 5 }).next, 'again');
      const step = afterDispatch(answer, { ...once, attempts: 99, misses: 6 });
      assert.ok(step.next === 'fail');
      return step.message;
    });
    assert.match(texts[0] ?? '', /does not run this agent at the moment.*repair/);
    assert.match(texts[1] ?? '', /no longer has this agent.*set it up again/);
  });
  it('a flow that is missing while its agency is being set up is retried each second, and counts as no miss', () => {
    for (const answer of ['not_found', 'gone'] as const)
      assert.deepEqual(afterDispatch(answer, { attempts: 99, misses: 6, isBeingSetUp: true }), {
        next: 'again',
        waitMs: 1_000,
        missed: false,
      });
  });
  it('a refusal is final', () => assert.equal(afterDispatch('refused', once).next, 'fail'));
});

describe('after a lookup', () => {
  it('an execution that the engine has is done, one that it certainly never stored is sent again', () => {
    assert.deepEqual(afterLookup('found', 0), { next: 'done' });
    assert.deepEqual(afterLookup('none', 0), { next: 'again', waitMs: 0, missed: false });
  });
  it('one that it may still store is asked for again, less and less often', () => {
    const waits = [0, 4_000, 20_000, 1_800_000].map((sinceMs) => afterLookup('unseen', sinceMs));
    assert.deepEqual(
      waits.map((step) => step.next === 'ask' && step.waitMs),
      [1_000, 1_000, 5_000, 30_000],
    );
  });
  it('an engine that does not answer is asked again soon, however long it was away', () =>
    assert.deepEqual(afterLookup('unanswered', 1_800_000), { next: 'ask', waitMs: 500 }));
});

describe('after a round of lookups', () => {
  const after = (settled: Partial<Record<'done' | 'again' | 'asked', number>>, isEngineDown = false) =>
    afterRecovery({ done: 0, again: 0, asked: 0, ...settled }, isEngineDown);
  it('that settled something the next one follows at once: more of the same partner may be due', () => {
    assert.deepEqual([after({ done: 16 }), after({ again: 1, asked: 63 }), after({ done: 1 }, true)], [0, 0, 0]);
  });
  it('that settled nothing the engine is left alone for a moment, however much is due', () => {
    assert.deepEqual([after({ asked: 1 }), after({ asked: 64 }), after({ asked: 64 }, true)], [500, 500, 500]);
  });
  it('without anything due the engine is probed while it is down', () => {
    assert.deepEqual([after({}, true), after({})], [1_000, null]);
  });
});
