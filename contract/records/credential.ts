import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { PROVIDERS, READINESS_STATES, SOURCE_MODES, SQL_TLS_STATES } from '../vocabulary.ts';

export const credentialCheck = z.object({ ok: z.boolean(), at: time, message: z.string() });

export const credentialSummary = z
  .object({
    id,
    provider: z.enum(PROVIDERS),
    clientId: id.nullable(),
    sourceMode: z.enum(SOURCE_MODES),
    configured: z.boolean(),
    updatedAt: time,
    inherited: z.boolean().optional(),
    notInPlan: z.boolean().optional().describe('In platform mode: the plan has no keys of the platform, so that agents get none'),
    lastCheck: credentialCheck.nullable(),
    usedByAgents: z.number().int(),
    usedByChatbots: z.number().int().describe('Chatbots that are on and answer with it'),
    /** Whether the engine already uses the saved value. */
    live: z.enum(['live', 'pending', 'unused']),
    lastUsedAt: time.nullable(),
    tls: z.enum(SQL_TLS_STATES).optional().describe('Of a SQL database only: how its connection is secured'),
  })
  .meta({ id: 'CredentialSummary' });

/** The keys of one provider that the agents of one owner need (a client, or the agency itself: null). */
export const requirement = z.object({
  provider: z.enum(PROVIDERS),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  state: z.enum(READINESS_STATES),
  agentCount: z.number().int().describe('Agents of the owner that need the provider; `agents` may list fewer'),
  agents: z.array(z.object({ id, name: z.string(), stepNames: z.array(z.string()) })),
});

/** Counts of all agents, also of those beyond the 250 that the list of requirements names. */
export const requirementCounts = z
  .object({
    agents: z.number().int().describe('Agents that need at least one key'),
    providers: z
      .array(
        z.object({
          provider: z.enum(PROVIDERS),
          agents: z.number().int().describe('Agents that need this provider'),
          missing: z
            .number()
            .int()
            .describe('Owners (clients, and the agency itself) whose agents need it and for whom no usable key is stored'),
          failing: z.number().int().describe('Owners for whom the key that counts failed its last check'),
        }),
      )
      .describe('Each provider that an agent needs'),
  })
  .meta({ id: 'RequirementCounts' });
