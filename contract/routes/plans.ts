import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, idParams, nothing, optionalText, text } from '../primitives.ts';
import { planRecord } from '../records/plan.ts';
import { features } from '../records/user.ts';
import { isPublic, staff, staffWrite } from './access.ts';

const count = z.number().int().min(0).max(1_000_000_000);
const terms = z.object({
  name: text(60),
  description: optionalText(400),
  monthlyPriceMinor: count,
  currency: z
    .string()
    .trim()
    .regex(/^[A-Z]{3}$/, 'Use an ISO 4217 code such as USD.'),
  includedSeats: count.min(1),
  includedClients: count,
  monthlyCredits: count,
  seatPriceMinor: count,
  creditPacks: z
    .array(z.object({ id: text(60), credits: count.min(1), priceMinor: count }))
    .max(20)
    .refine((packs) => new Set(packs.map((pack) => pack.id)).size === packs.length, 'Two packs have the same ID.'),
  features,
  isPublic: z.boolean(),
  isTrial: z.boolean(),
  trialDays: z.number().int().min(1).max(365).nullable(),
});

export const planRoutes = {
  listPlans: defineRoute({
    method: 'GET',
    path: '/plans',
    tag: 'plans',
    summary: 'List public plans',
    access: isPublic,
    mainHostOnly: true,
    limit: 'caller',
    reply: { 200: z.array(planRecord) },
    errors: [],
  }),
  listAllPlans: defineRoute({
    method: 'GET',
    path: '/plans/all',
    tag: 'plans',
    summary: 'List every plan, retired ones too, with how many agencies are on it',
    access: staff,
    reply: { 200: z.array(planRecord.extend({ subscriptions: z.number().int() })) },
    errors: [],
  }),
  createPlan: defineRoute({
    method: 'POST',
    path: '/plans',
    tag: 'plans',
    summary: 'Create a plan',
    access: staffWrite,
    body: terms,
    reply: { 201: planRecord },
    errors: ['validation_failed', 'already_exists'],
    audit: 'plan.created',
  }),
  updatePlan: defineRoute({
    method: 'PATCH',
    path: '/plans/:id',
    tag: 'plans',
    summary: 'Change a plan; on agencies on it seats, clients and features apply at once, credits and the price from their next period',
    access: staffWrite,
    params: idParams,
    body: terms.partial().extend({ isActive: z.boolean().optional() }),
    reply: { 200: planRecord },
    errors: ['validation_failed', 'not_found', 'already_exists', 'stale_record'],
    audit: 'plan.changed',
  }),
  retirePlan: defineRoute({
    method: 'DELETE',
    path: '/plans/:id',
    tag: 'plans',
    summary: 'Retire a plan: it can no longer be chosen; partners on it keep it',
    access: staffWrite,
    params: z.object({ id }),
    reply: { 204: nothing },
    errors: ['not_found'],
    audit: 'plan.retired',
  }),
};
