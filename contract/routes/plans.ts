import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { planRecord } from '../records.ts';
import { isPublic } from './access.ts';

export const planRoutes = {
  listPlans: defineRoute({
    method: 'GET',
    path: '/plans',
    tag: 'plans',
    summary: 'Public plans',
    access: isPublic,
    limit: 'caller',
    reply: { 200: z.array(planRecord) },
    errors: [],
  }),
};
