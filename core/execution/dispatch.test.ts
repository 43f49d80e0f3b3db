import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterDispatch } from './dispatch.ts';

describe('after a dispatch', () => {
  it('an execution that may be running is never sent again', () => {
    for (const answer of ['accepted', 'ambiguous'] as const)
      assert.deepEqual(afterDispatch(answer, { attempts: 1, misses: 0 }), { next: 'done' });
  });
  it('an unreachable engine is retried without limit, at most 30 s apart', () => {
    const waits = [1, 2, 3, 7, 500].map((attempts) => afterDispatch('unreachable', { attempts, misses: 0 }));
    assert.deepEqual(
      waits.map((step) => step.next === 'again' && step.waitMs),
      [500, 1000, 2000, 30_000, 30_000],
    );
  });
  it('a missing flow is final after several misses', () => {
    assert.equal(afterDispatch('not_found', { attempts: 1, misses: 5 }).next, 'again');
    assert.equal(afterDispatch('not_found', { attempts: 99, misses: 6 }).next, 'fail');
  });
  it('a refusal is final', () => assert.equal(afterDispatch('refused', { attempts: 1, misses: 0 }).next, 'fail'));
});
