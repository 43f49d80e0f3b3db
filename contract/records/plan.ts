import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { PLAN_REQUEST_KINDS, PLAN_REQUEST_STATUSES } from '../vocabulary.ts';
import { features } from './user.ts';

export const planRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    monthlyPriceMinor: z.number().int(),
    currency: z.string(),
    includedSeats: z.number().int(),
    includedClients: z.number().int(),
    monthlyCredits: z.number().int(),
    seatPriceMinor: z.number().int(),
    creditPacks: z.array(z.object({ id: z.string(), credits: z.number().int(), priceMinor: z.number().int() })),
    features,
    isPublic: z.boolean(),
    isTrial: z.boolean(),
    trialDays: z.number().int().nullable(),
    isActive: z.boolean(),
    updatedAt: time,
  })
  .meta({ id: 'Plan' });

/** A partner's exceptions from its plan. */
export const planOverrides = z
  .object({
    monthlyPriceMinor: z.number().int().min(0).max(1_000_000_000),
    seatPriceMinor: z.number().int().min(0).max(1_000_000_000),
    includedSeats: z.number().int().min(1).max(1_000_000),
    includedClients: z.number().int().min(0).max(1_000_000),
    monthlyCredits: z.number().int().min(0).max(1_000_000_000),
    features: features.partial(),
  })
  .partial();

/** An application (no partner yet) or a partner's request for other terms. */
export const planRequestRecord = z
  .object({
    id,
    kind: z.enum(PLAN_REQUEST_KINDS),
    status: z.enum(PLAN_REQUEST_STATUSES),
    applicant: z.object({
      email: z.string(),
      fullName: z.string(),
      companyName: z.string(),
      website: z.string().nullable(),
      country: z.string().nullable(),
    }),
    partnerId: id.nullable(),
    planId: id.nullable(),
    planName: z.string().nullable(),
    desired: z.object({
      seats: z.number().int().optional(),
      clients: z.number().int().optional(),
      credits: z.number().int().optional(),
      features: z.array(z.string()).optional(),
      message: z.string().optional(),
      newsletter: z.boolean().optional(),
      monthlyPriceMinor: z.number().int().optional().describe('What the requested plan cost a month then, in minor units.'),
    }),
    decidedBy: id.nullable(),
    decisionNote: z.string().nullable(),
    resultPartnerId: id.nullable(),
    createdAt: time,
    decidedAt: time.nullable(),
    mailWaits: z.boolean().describe('The confirmation was above a cap on mail to strangers; it is sent when staff open the application.'),
    nameResembles: z.string().nullable().describe('The protected name that the name of an applicant’s company resembles.'),
  })
  .meta({ id: 'PlanRequest' });
