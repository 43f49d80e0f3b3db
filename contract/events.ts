import { z } from 'zod';
import { id, time } from './primitives.ts';
import type { EventType } from './vocabulary.ts';

/** Schema of `data` per event type. No secrets, no execution payloads. The envelope is `{ id, type, createdAt, data }`. */
const actor = z.object({ type: z.enum(['user', 'system', 'staff']), id: id.nullable(), email: z.string().optional() });
const common = z.object({ partnerId: id, partnerName: z.string(), actor: actor.optional(), portalUrl: z.string() });
const client = z.object({ id, name: z.string(), externalRef: z.string().nullable() });
const agentRequest = z.object({
  id,
  kind: z.enum(['template', 'custom']),
  templateName: z.string().nullable(),
  title: z.string(),
  status: z.string(),
  createdAt: time,
});
const account = z.object({ type: z.enum(['partner', 'client']), id, name: z.string() });
const deletionRequest = z.object({ id, scope: z.enum(['partner', 'client']), reason: z.string(), status: z.string() });

export const EVENT_DATA = {
  'agent_request.submitted': common.extend({ agentRequest, client }),
  'agent_request.resolved': common.extend({
    agentRequest,
    client,
    resolution: z.enum(['approved', 'rejected', 'fulfilled']),
    note: z.string().nullable(),
    agent: z
      .object({
        id,
        name: z.string(),
        isActive: z.boolean(),
        /** Labels of required settings that are empty; absent when none is. */
        missingSettings: z.array(z.string()).optional(),
        /** Members of the client’s business profile, each of which would fill one of them; absent when none would. */
        missingProfile: z.array(z.string()).optional(),
      })
      .optional(),
  }),
  'agent_request.provisioning_failed': common.extend({
    agentRequest,
    client,
    /** Null when the request was refused before an attempt could start. */
    attemptId: id.nullable(),
    message: z.string(),
    retryable: z.boolean(),
    missingConnections: z.array(z.object({ provider: z.string(), stepNames: z.array(z.string()) })),
  }),
  'deletion_request.submitted': common.extend({ deletionRequest, account }),
  'deletion_request.resolved': common.extend({
    deletionRequest,
    account,
    resolution: z.enum(['approved', 'rejected']),
    note: z.string().nullable(),
    purgeAfter: time.optional(),
  }),
  'account.suspended': common.extend({
    account,
    reason: z.enum(['deletion_approved', 'billing', 'policy', 'manual']),
    suspendedAt: time,
    deletionRequestId: id.optional(),
    reactivation: z.object({ allowed: z.boolean(), until: time.optional() }),
  }),
  'client_user.invited': common.extend({ invitation: z.object({ id, email: z.string(), expiresAt: time }), client }),
  'usage.threshold_crossed': common.extend({
    metric: z.literal('credits'),
    thresholdPercent: z.number().int(),
    used: z.number().int(),
    limit: z.number().int(),
    remaining: z.number().int(),
    periodStart: time,
    periodEnd: time,
    topClients: z.array(z.object({ id, name: z.string(), used: z.number().int() })),
  }),
  'seat_purchase.completed': common.extend({
    order: z.object({
      id,
      quantity: z.number().int(),
      unitPriceMinor: z.number().int(),
      amountMinor: z.number().int(),
      currency: z.string(),
    }),
    seats: z.object({ included: z.number().int(), purchased: z.number().int(), total: z.number().int(), used: z.number().int() }),
  }),
  'webhook.test': common.extend({ endpointId: id, message: z.string(), synthetic: z.literal(true) }),
} as const satisfies Record<EventType, z.ZodObject>;

export type EventData<T extends EventType> = z.input<(typeof EVENT_DATA)[T]>;
