import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Template } from '../template/types.ts';
import { afterDirectCall, afterDirectLookup, type DirectLookup, type DirectOutcome, objectionToDirectRun } from './direct.ts';

describe('after a direct call', () => {
  const first = { awayMs: 0, misses: 1 };
  it('the engine is asked for the run whenever it may have one', () => {
    for (const answer of ['answered', 'silent', 'ambiguous'] satisfies DirectOutcome[])
      assert.deepEqual(afterDirectCall(answer, first), { next: 'look', waitMs: 0 });
  });
  it('it is made again only when nothing was stored, for some seconds', () => {
    assert.equal(afterDirectCall('unreachable', { awayMs: 4_999, misses: 0 }).next, 'again');
    assert.equal(afterDirectCall('unreachable', { awayMs: 5_000, misses: 0 }).next, 'fail');
    assert.equal(afterDirectCall('not_found', { awayMs: 0, misses: 4 }).next, 'again');
    assert.equal(afterDirectCall('not_found', { awayMs: 0, misses: 5 }).next, 'fail');
    assert.equal(afterDirectCall('refused', first).next, 'fail');
    assert.equal(afterDirectCall('gone', first).next, 'fail');
  });
});

describe('after a lookup', () => {
  const nextOf = (found: DirectLookup, isOver: boolean) => afterDirectLookup(found, { looks: 0, isOver }).next;
  it('the flow is called only when the engine certainly has no run', () => {
    const all: DirectLookup[] = ['ended', 'running', 'none', 'unseen', 'unanswered'];
    assert.deepEqual(
      all.map((found) => nextOf(found, false)),
      ['take', 'look', 'call', 'look', 'look'],
    );
    assert.deepEqual(
      all.map((found) => nextOf(found, true)),
      ['take', 'time_out', 'time_out', 'leave', 'leave'],
    );
  });
  it('the engine is asked less and less often', () => {
    const waits = [0, 1, 2, 3, 9].map((looks) => {
      const step = afterDirectLookup('running', { looks, isOver: false });
      return step.next === 'look' && step.waitMs;
    });
    assert.deepEqual(waits, [250, 500, 1_000, 2_000, 2_000]);
  });
});

describe('an agent', () => {
  const of = (change: Partial<Template>): Template =>
    ({ title: 'Text-back', steps: [], templateVersion: 3, ...change }) as unknown as Template; // only these are read
  it('is run directly from the version on whose flow answers', () => {
    const template = of({ answersSince: 2 });
    assert.equal(objectionToDirectRun(template, 2), null);
    assert.equal(objectionToDirectRun(template, 3), null);
    assert.equal(objectionToDirectRun(template, 1)?.code, 'flow_outdated');
    assert.equal(objectionToDirectRun(of({}), 3)?.code, 'flow_outdated');
  });
  it('that is not installed is left to the checks of every run', () => {
    assert.equal(objectionToDirectRun(of({ answersSince: 2 }), null), null);
  });
  it('that reads a database is not, since a direct call carries no proof of an execution', () => {
    const steps = [{ name: 'read', label: 'Read', kind: 'http', provider: 'postgres', request: { method: 'POST', path: '/' } }] as const;
    assert.equal(objectionToDirectRun(of({ answersSince: 2, steps: [...steps] }), 2)?.code, 'not_for_chatbots');
  });
});
