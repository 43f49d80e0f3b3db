import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { INSTANCE_STATUSES, PARTNER_STATUSES } from '../vocabulary.ts';

export const partnerRecord = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    status: z.enum(PARTNER_STATUSES),
    automationProvider: z.string().nullable(),
    /** Path of the logo, relative to the base address; `?size=icon` and `?size=small` give others. */
    logoUrl: z.string().nullable(),
    logoMediaId: id.nullable(),
    brandColor: z.string().nullable(),
    supportEmail: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string(),
    planId: id.nullable(),
    trialEndsAt: time.nullable(),
    suspendedAt: time.nullable(),
    suspensionReason: z.string().nullable(),
    counts: z.object({ clients: z.number().int(), agents: z.number().int(), seatsUsed: z.number().int() }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Partner' });

/** A partner in the staff list, with the state of its automation. */
export const partnerRow = partnerRecord
  .extend({
    planName: z.string().nullable(),
    automationStatus: z.enum(INSTANCE_STATUSES),
    runs7d: z.number().int(),
    failures7d: z.number().int(),
    usagePercent: z.number(),
    internalNotes: z.string().nullable(),
    /** Whether its team must use single sign-on; staff can lift that. */
    ssoEnforced: z.boolean(),
  })
  .meta({ id: 'PartnerRow' });
