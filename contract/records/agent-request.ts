import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { AGENT_REQUEST_KINDS, AGENT_REQUEST_ORIGINS, AGENT_REQUEST_STATUSES, PROVIDERS } from '../vocabulary.ts';

/** One status change of a request. Partners see staff without name and id. */
export const agentRequestEntry = z.object({
  at: time,
  actor: z.object({ type: z.enum(['user', 'staff', 'system']), id: id.nullable(), name: z.string().nullable() }),
  from: z.enum(AGENT_REQUEST_STATUSES).nullable(),
  to: z.enum(AGENT_REQUEST_STATUSES),
  note: z.string().nullable(),
});

export const agentRequestRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    clientId: id,
    clientName: z.string(),
    kind: z.enum(AGENT_REQUEST_KINDS),
    templateName: z.string().nullable(),
    title: z.string(),
    description: z.string(),
    icon: z.string(),
    config: jsonObject,
    status: z.enum(AGENT_REQUEST_STATUSES),
    origin: z.enum(AGENT_REQUEST_ORIGINS),
    requestedBy: id.nullable(),
    requestedByName: z.string().nullable(),
    reviewedBy: id.nullable(),
    decisionNote: z.string().nullable(),
    workflowId: id.nullable(),
    lastAttemptId: id.nullable(),
    /** Why the last installation failed; safe to show. */
    failureMessage: z.string().nullable(),
    /** Approved, and starts automatically when another setup of the partner has ended. */
    waiting: z.boolean(),
    missingConnections: z.array(z.enum(PROVIDERS)),
    timeline: z.array(agentRequestEntry),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AgentRequest' });
