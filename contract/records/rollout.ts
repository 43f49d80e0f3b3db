import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { ROLLOUT_PARTNER_STATUSES, ROLLOUT_STATUSES } from '../vocabulary.ts';

/** A rollout of a newer template version to partners with an older one. Staff only. */
export const rolloutRecord = z
  .object({
    id,
    templateName: z.string(),
    targetVersion: z.number().int(),
    status: z.enum(ROLLOUT_STATUSES),
    batchSize: z.number().int(),
    requestedByName: z.string().nullable(),
    createdAt: time,
    finishedAt: time.nullable(),
    counts: z.object({
      pending: z.number().int(),
      running: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
      skipped: z.number().int(),
    }),
    partners: z.array(
      z.object({
        partnerId: id,
        name: z.string(),
        status: z.enum(ROLLOUT_PARTNER_STATUSES),
        attemptId: id.nullable(),
        message: z.string().nullable(),
        startedAt: time.nullable(),
        finishedAt: time.nullable(),
      }),
    ),
  })
  .meta({ id: 'Rollout' });
