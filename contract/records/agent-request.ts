import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { AGENT_REQUEST_KINDS, AGENT_REQUEST_ORIGINS, AGENT_REQUEST_STATUSES, COPY_TARGET_STATES, PROVIDERS } from '../vocabulary.ts';

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
    /** Required settings that are empty, of the agent once it is installed; its runs fail without them. */
    missingSettings: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        fromProfile: z.string().nullable().describe('Member of the client’s business profile that would fill it'),
      }),
    ),
    timeline: z.array(agentRequestEntry),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AgentRequest' });

/** Whether a client can have an agent of the catalog, and what it would lack. A missing key or setting keeps no one from requesting it. */
export const requestReadiness = z
  .object({
    clientId: id,
    clientName: z.string(),
    state: z.enum(COPY_TARGET_STATES),
    missingConnections: z.array(z.enum(PROVIDERS)),
    /** Needed services whose key was refused at its last check. */
    refusedConnections: z.array(z.enum(PROVIDERS)),
    /** Required settings that would be empty. */
    missingSettings: z.array(z.object({ key: z.string(), label: z.string() })),
  })
  .meta({ id: 'AgentRequestReadiness' });
