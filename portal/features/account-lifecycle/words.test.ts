import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { stopsText } from '../../shared/account-words.ts';
import { removedText } from './words.ts';

const { t } = messagesFor('en');
const preview = {
  scope: 'partner',
  partnerId: '',
  clientId: null,
  accountName: 'Northwind Studio',
  partnerName: 'Northwind Studio',
  clients: 6,
  runningAgents: 12,
  runningClients: 4,
  agents: 14,
  users: 5,
  webhooks: 1,
  files: 0,
  purgeAfter: '2026-12-22T10:00:00.000Z',
} as const;

test('a deletion is stated in counts, and nothing is named that there is none of', () => {
  assert.equal(stopsText(t, preview, 'now'), '12 agents of 4 clients stop now.');
  assert.equal(
    stopsText(t, { ...preview, runningAgents: 1, runningClients: 1 }, 'on_approval'),
    '1 agent of 1 client stops as soon as the request is approved.',
  );
  assert.equal(stopsText(t, { ...preview, runningAgents: 0 }, 'now'), 'No agent is running.');
  assert.equal(stopsText(t, { ...preview, scope: 'client' }, 'now'), '12 agents stop now.');
  // Agents that run for the agency itself.
  assert.equal(stopsText(t, { ...preview, runningAgents: 1, runningClients: 0 }, 'now'), '1 agent stops now.');
  assert.equal(removedText(t, preview), '6 clients, 14 agents, 5 users and 1 webhook');
  assert.equal(removedText(t, { ...preview, scope: 'client', users: 0, webhooks: 0 }), '14 agents');
});

test('a client reads the counts in their language', () => {
  const own = { ...preview, scope: 'client' } as const;
  assert.equal(stopsText(messagesFor('de').t, own, 'on_approval'), '12 Agenten werden angehalten, sobald der Antrag genehmigt ist.');
  assert.equal(stopsText(messagesFor('es').t, { ...own, runningAgents: 1 }, 'now'), 'Se detiene ahora 1 agente.');
});
