import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removedText, runningText } from './words.ts';

const preview = {
  scope: 'partner',
  partnerId: '',
  clientId: null,
  accountName: 'Northwind Studio',
  partnerName: 'Northwind Studio',
  clients: 4,
  runningAgents: 12,
  agents: 14,
  users: 5,
  webhooks: 1,
  files: 0,
  purgeAfter: '2026-12-22T10:00:00.000Z',
} as const;

test('a deletion is stated in counts, and nothing is named that there is none of', () => {
  assert.equal(runningText(preview), '12 agents of 4 clients');
  assert.equal(runningText({ ...preview, runningAgents: 1, clients: 1 }), '1 agent of 1 client');
  assert.equal(runningText({ ...preview, scope: 'client' }), '12 agents');
  assert.equal(removedText(preview), '4 clients, 14 agents, 5 users and 1 webhook');
  assert.equal(removedText({ ...preview, scope: 'client', users: 0, webhooks: 0 }), '14 agents');
});
