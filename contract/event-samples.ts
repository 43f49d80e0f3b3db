import type { EventData } from './events.ts';
import type { EventType } from './vocabulary.ts';

/** Documents one event type: when it fires, and an example of `data`. */
export type EventSample<T extends EventType> = { when: string; data: EventData<T> };

const partnerId = '0199b3a0-5f10-7a44-9d1e-6c2f8b7a1d01';
const clientId = '0199b3a1-02c7-7e19-8f52-1a7d90c4be02';
const requestId = '0199b3b4-77aa-7b03-a6de-3f915cd2ee03';
const userId = '0199b3a0-5f4b-7c92-8a11-90e7d3c5ba04';
const attemptId = '0199b3b5-1e0f-7d67-b0c4-52ad81f7cc05';

const common = { partnerId, partnerName: 'Tidewater Studio' };
const byPerson = { ...common, actor: { type: 'user' as const, id: userId, email: 'ines@tidewater.example' } };
const client = { id: clientId, name: 'Harbour Dental', externalRef: 'crm-182' };
const portal = 'https://portal.example.com/dashboard';
const agentRequest = {
  id: requestId,
  kind: 'template' as const,
  templateName: 'missed-call-text-back',
  title: 'Missed-call text-back',
  createdAt: '2026-01-05T09:10:02.417Z',
};
const account = { type: 'client' as const, id: clientId, name: 'Harbour Dental' };
const deletionRequest = { id: '0199b3c0-44d2-7f80-93ab-7e6b1c9d0f06', scope: 'client' as const, reason: 'The practice has closed.' };

export const EVENT_SAMPLES: { readonly [T in EventType]: EventSample<T> } = {
  'agent_request.submitted': {
    when: 'A new agent is requested for a client.',
    data: {
      ...byPerson,
      portalUrl: `${portal}/requests?request=${requestId}`,
      agentRequest: { ...agentRequest, status: 'submitted' },
      client,
    },
  },
  'agent_request.resolved': {
    when: 'An agent request is approved, rejected or fulfilled. One request may fire it twice: approved, then fulfilled.',
    data: {
      ...common,
      portalUrl: `${portal}/requests?request=${requestId}`,
      agentRequest: { ...agentRequest, status: 'fulfilled' },
      client,
      resolution: 'fulfilled',
      note: null,
      agent: { id: '0199b3b6-9c31-7a5e-8d20-b4f3e6a7d107', name: 'Missed-call text-back', isActive: true },
    },
  },
  'agent_request.provisioning_failed': {
    when: 'Installing a requested agent fails.',
    data: {
      ...common,
      portalUrl: `${portal}/requests?request=${requestId}`,
      agentRequest: { ...agentRequest, status: 'provisioning_failed' },
      client,
      attemptId,
      message: 'Could not activate: missing credential for step(s) Send text',
      retryable: true,
      missingConnections: [{ provider: 'twilio', stepNames: ['Send text'] }],
    },
  },
  'deletion_request.submitted': {
    when: 'An agency or a client asks for its account to be deleted.',
    data: { ...byPerson, portalUrl: `${portal}/clients/${clientId}`, deletionRequest: { ...deletionRequest, status: 'pending' }, account },
  },
  'deletion_request.resolved': {
    when: 'A deletion request is approved or rejected.',
    data: {
      ...common,
      portalUrl: `${portal}/clients/${clientId}`,
      deletionRequest: { ...deletionRequest, status: 'approved' },
      account,
      resolution: 'approved',
      note: null,
      purgeAfter: '2026-02-04T09:12:44.102Z',
    },
  },
  'account.suspended': {
    when: 'An account is suspended, for example after an approved deletion request.',
    data: {
      ...byPerson,
      portalUrl: `${portal}/clients/${clientId}`,
      account,
      reason: 'manual',
      suspendedAt: '2026-01-05T09:12:44.102Z',
      reactivation: { allowed: true },
    },
  },
  'client_user.invited': {
    when: 'Someone is invited to a client’s portal. The link itself is never part of an event.',
    data: {
      ...byPerson,
      portalUrl: `${portal}/clients/${clientId}`,
      invitation: {
        id: '0199b3c8-2b6d-7e04-a1f7-c8d95b3e2a08',
        email: 'jo@harbourdental.example',
        expiresAt: '2026-01-12T09:12:44.102Z',
      },
      client,
    },
  },
  'usage.threshold_crossed': {
    when: 'The agency’s use of credits crosses one of its alert thresholds; once per threshold and period.',
    data: {
      ...common,
      portalUrl: `${portal}/usage`,
      metric: 'credits',
      thresholdPercent: 80,
      used: 8_000,
      limit: 10_000,
      remaining: 2_000,
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-02-01T00:00:00.000Z',
      topClients: [{ id: clientId, name: 'Harbour Dental', used: 3_120 }],
    },
  },
  'seat_purchase.completed': {
    when: 'The agency buys additional team seats.',
    data: {
      ...byPerson,
      portalUrl: `${portal}/billing`,
      order: { id: '0199b3d2-6f58-7c1a-b3e9-0d84a27f5c09', quantity: 2, unitPriceMinor: 1_500, amountMinor: 3_000, currency: 'USD' },
      seats: { included: 10, purchased: 2, total: 12, used: 10 },
    },
  },
  'webhook.test': {
    when: 'Someone presses “Send test”. A synthetic event, sent to that endpoint only.',
    data: {
      ...byPerson,
      portalUrl: `${portal}/settings/webhooks`,
      endpointId: '0199b3e0-1a93-7d4c-92f8-5be07c6d3a10',
      message: 'This is a test event.',
      synthetic: true,
    },
  },
};
