import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { PROVIDERS, READINESS_STATES, SOURCE_MODES } from '../vocabulary.ts';

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
    lastCheck: credentialCheck.nullable(),
    usedByAgents: z.number().int(),
    /** Whether the engine already uses the saved value. */
    live: z.enum(['live', 'pending', 'unused']),
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'CredentialSummary' });

export const requirement = z.object({
  provider: z.enum(PROVIDERS),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  state: z.enum(READINESS_STATES),
  agents: z.array(z.object({ id, name: z.string(), stepNames: z.array(z.string()) })),
});
