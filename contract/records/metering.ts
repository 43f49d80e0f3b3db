import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { USAGE_KINDS } from '../vocabulary.ts';

export const quotaRecord = z
  .object({
    used: z.number().int(),
    inFlight: z.number().int(),
    remaining: z.number().int(),
    limit: z.number().int(),
    monthly: z.number().int(),
    purchased: z.number().int(),
    percent: z.number(),
    periodStart: time,
    resetsAt: time,
    /** When the trial or the cancelled subscription ends, if no new credits come before; null otherwise. */
    endsAt: time.nullable(),
    forecastDate: time.nullable(),
  })
  .meta({ id: 'Quota' });

export const usageEntry = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    workflowId: id.nullable(),
    agentName: z.string().nullable(),
    executionId: id.nullable(),
    /** The order that bought the credits. */
    orderId: id.nullable(),
    kind: z.enum(USAGE_KINDS),
    credits: z.number().int(),
    note: z.string(),
    /** When it was charged, at the end of a run or call. */
    at: time,
    /** When the run or call began. Entries are listed by it. */
    beganAt: time,
  })
  .meta({ id: 'UsageEntry' });
