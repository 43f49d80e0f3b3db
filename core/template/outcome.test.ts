import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TemplateOutcome } from './types.ts';
import { outcomeOf, toneOf } from './outcome.ts';

const outcomes: TemplateOutcome[] = [
  { name: 'unsent', when: { is: { hot: true }, lacks: ['mailId', 'messageId'] }, tone: 'attention', sentence: 'No one was notified' },
  { name: 'hot', when: { is: { hot: true } }, tone: 'good', sentence: 'A hot lead' },
  { name: 'empty', when: { is: { rows: 0 } }, tone: 'neutral' },
  { name: 'no_recipient', when: { is: { reason: 'owner_not_told' } }, tone: 'attention' },
  { name: 'list', when: { has: ['leads'] }, tone: 'good', sentence: 'A list' },
];

describe('the outcome of a run', () => {
  for (const [what, output, name, tone] of [
    ['nothing declared', { score: 40 }, undefined, 'good'],
    ['no output', null, undefined, 'good'],
    ['an early end', { skipped: true, reason: 'quiet_hours' }, undefined, 'neutral'],
    ['the first that holds', { hot: true }, 'unsent', 'attention'],
    ['a value that is not to be there', { hot: true, mailId: 'm1' }, 'hot', 'good'],
    ['a value of another type', { hot: 'true', rows: '0' }, undefined, 'good'],
    ['zero', { rows: 0 }, 'empty', 'neutral'],
    ['an early end that needs a person', { skipped: true, reason: 'owner_not_told' }, 'no_recipient', 'attention'],
    ['a value that is there', { leads: [] }, 'list', 'good'],
    ['null, which is no value', { leads: null }, undefined, 'good'],
    ['a name that every object has', { constructor: 1 }, undefined, 'good'],
  ] as const)
    it(`${what}: ${tone}`, () => {
      assert.equal(outcomeOf({ outcomes }, output)?.name, name);
      assert.equal(toneOf({ outcomes }, 'SUCCEEDED', output), tone);
    });
  it('is good or neutral for a copy of a template that declares none', () => {
    assert.equal(toneOf({}, 'SUCCEEDED', { hot: true }), 'good');
    assert.equal(toneOf(undefined, 'SUCCEEDED', { skipped: true }), 'neutral');
  });
  it('is none for a failed run', () => assert.equal(toneOf({ outcomes }, 'FAILED', { hot: true }), null));
});
