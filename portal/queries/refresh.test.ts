import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryClient } from '../app/query-client.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

const FACTS = {
  checklist: keys.onboarding,
  attention: keys.summary.all,
  alerts: keys.alerts.all,
  meter: keys.quota,
  usage: keys.usages,
  rail: keys.staffNavigation,
  agents: keys.agents.list,
  chatbots: keys.chatbot.list,
} as const;

/** What each change of an agency may alter of its checklist, of what needs attention, of its alerts, and of its credits and the rows that add up to them; of the agents and chatbots, which show the state of their client; and of the counts in the rail of staff. */
const AFTER = {
  clientSaved: ['checklist', 'attention', 'agents', 'chatbots'],
  accountRequestChanged: ['attention', 'agents', 'chatbots'],
  credentialsChanged: ['checklist', 'attention', 'alerts'],
  agentRequestChanged: ['checklist', 'attention'],
  invitationsChanged: ['checklist'],
  endpointsChanged: ['checklist', 'attention', 'alerts'],
  agentSwitched: ['checklist', 'attention', 'alerts'],
  agentDeleted: ['attention', 'alerts'],
  runStarted: ['checklist', 'attention', 'meter', 'usage'],
  runRepeated: ['checklist', 'attention', 'meter', 'usage'],
  runReported: ['checklist', 'attention', 'meter', 'usage'],
  setupChanged: ['checklist', 'attention', 'alerts', 'meter', 'usage'],
  sampleProgressed: ['checklist', 'attention', 'meter', 'usage'],
  ssoConnectionChanged: ['attention', 'alerts'],
  billingChanged: ['attention', 'alerts', 'meter', 'usage'],
  chatbotSaved: ['attention', 'alerts'],
  chatBudgetsChanged: ['attention', 'alerts'],
  alertChanged: ['attention', 'alerts'],
  planRequestDecided: ['rail'],
  accountRequestDecided: ['rail'],
  partnersChanged: ['rail'],
} as const;

describe('checklist, attention, alerts, credits, agents, chatbots and the rail of staff are read again after each change that may alter them', () => {
  for (const [change, facts] of Object.entries(AFTER))
    it(`${change}: ${facts.join(', ')}`, async () => {
      for (const fact of facts) queryClient.setQueryData(FACTS[fact], {});
      const refresh = refreshAfter as (change: string, id: string) => Promise<void>; // some changes name one record
      await refresh(change, 'x1');
      for (const fact of facts) assert.equal(queryClient.getQueryState(FACTS[fact])?.isInvalidated, true, fact);
      queryClient.clear();
    });
});
