import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { time } from '../primitives.ts';
import { isPublic } from './access.ts';

export const readinessState = z.enum(['ok', 'degraded', 'down', 'disabled']);
export const readinessChecks = z.object({
  database: readinessState,
  queue: readinessState,
  engine: readinessState,
  mail: readinessState,
  scanner: readinessState.optional().describe('The malware scanner of uploaded files; left out when none is configured.'),
});
/** `isSilent`: no process has taken jobs for a minute, so that everything but accepting events waits. */
export const workerState = z.object({ seenAt: time.nullable(), isSilent: z.boolean() });
const readiness = z.object({ status: readinessState, checks: readinessChecks });

export const healthRoutes = {
  getHealth: defineRoute({
    method: 'GET',
    path: '/health',
    tag: 'health',
    summary: 'Check that the process is up',
    access: isPublic,
    limit: 'none',
    reply: { 200: z.object({ status: z.literal('ok') }) },
    errors: [],
  }),
  getReadiness: defineRoute({
    method: 'GET',
    path: '/health/ready',
    tag: 'health',
    summary: 'Check whether the dependencies respond',
    access: isPublic,
    limit: 'none',
    reply: { 200: readiness, 503: readiness },
    errors: [],
  }),
};
