import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDrift } from './describe-drift.ts';

const agent = (name: string, client: string | null, state: 'missing' | 'changed' | 'unchecked') => ({ name, client, state });

test('names the first agents with their clients, what is wrong with each, and how many more there are', () => {
  const first = [
    agent('Lead qualifier', 'Oak Dental', 'missing'),
    agent('Review request', null, 'changed'),
    agent('Win-back', 'Elm Café', 'unchecked'),
  ];
  assert.deepEqual(describeDrift('Oak Agency', { kind: 'drift', agents: 1203, first }), {
    title: '1,203 agents of Oak Agency differ in the engine',
    detail:
      'Lead qualifier for Oak Dental: gone from the engine\nReview request: changed in the engine\nWin-back for Elm Café: could not be checked\n1,200 more agents',
  });
  assert.match(describeDrift('Oak Agency', { kind: 'drift', agents: 4, first }).detail, /\n1 more agent$/);
});

test('one agent is named in the singular, without more', () => {
  assert.deepEqual(describeDrift('Oak Agency', { kind: 'drift', agents: 1, first: [agent('Lead qualifier', null, 'changed')] }), {
    title: '1 agent of Oak Agency differs in the engine',
    detail: 'Lead qualifier: changed in the engine',
  });
});
