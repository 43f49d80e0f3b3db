import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { time } from '../primitives.ts';
import { staff } from './access.ts';
import { readinessChecks, readinessState, workerState } from './health.ts';

const count = z.number().int();

export const systemRoutes = {
  getSystem: defineRoute({
    method: 'GET',
    path: '/provisioning/system',
    tag: 'provisioning',
    summary: 'Get readiness, queues, mail, and remarks on the configuration by setting name only',
    access: staff,
    reply: {
      200: z
        .object({
          status: readinessState,
          checks: readinessChecks,
          queueDepth: count.nullable().describe('Jobs that are due and not taken; null when the database does not say.'),
          workers: workerState,
          mail: z.object({
            configured: z.boolean(),
            queued: count,
            failed: count,
            notConfigured: count,
            sent24h: count,
            oldestQueuedAt: time.nullable(),
          }),
          staff: z.object({
            active: count.describe('Users of staff who can log in.'),
            withoutSecondStep: count,
            secondStepRequired: z.boolean(),
          }),
          configuration: z.array(z.object({ settings: z.array(z.string()), state: z.enum(['ok', 'note', 'warn']), message: z.string() })),
        })
        .meta({ id: 'System' }),
    },
    errors: [],
  }),
};
