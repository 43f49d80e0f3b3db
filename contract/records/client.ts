import { z } from 'zod';
import { id, optionalLink, optionalText, time } from '../primitives.ts';
import { AGENT_HEALTH, CLIENT_STATUSES, LIMITS, LOCALES, type ProfileKey } from '../vocabulary.ts';

export const businessProfile = z.object({
  hours: z.string().max(500).default(''),
  bookingUrl: z.string().max(2048).default(''),
  reviewUrl: z.string().max(2048).default(''),
  address: z.string().max(500).default(''),
  faqText: z.string().max(LIMITS.faqTextMax).default(''),
} satisfies Record<ProfileKey, z.ZodType>);

/** A partial update; omitted members are unchanged. */
export const businessProfileChange = z.object({
  hours: optionalText(500).optional(),
  bookingUrl: optionalLink.optional(),
  reviewUrl: optionalLink.optional(),
  address: optionalText(500).optional(),
  faqText: optionalText(LIMITS.faqTextMax).optional(),
} satisfies Record<ProfileKey, z.ZodType>);

export const clientRecord = z
  .object({
    id,
    partnerId: id,
    name: z.string(),
    status: z.enum(CLIENT_STATUSES),
    contactName: z.string().nullable(),
    contactEmail: z.string().nullable(),
    phone: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string(),
    /** Language of mail to the business, of its reports and of its chatbot's page, and of people who join its portal. */
    locale: z.enum(LOCALES),
    industry: z.string().nullable(),
    externalRef: z.string().nullable(),
    notes: z.string().nullable().optional(),
    businessProfile,
    /** ISO codes of the countries whose numbers its agents text; null: its own. This and the next three are for agency and staff. */
    textCountries: z.array(z.string()).nullable().optional(),
    /** Countries from its phone number or time zone; empty when neither gives one, and then any country is texted. */
    ownCountries: z.array(z.string()).optional(),
    /** People texted for the first time in an hour, at most; null: the standard. Runs above it wait for their turn. */
    firstContactsPerHour: z.number().int().nullable().optional(),
    standardFirstContactsPerHour: z.number().int().optional(),
    counts: z.object({ agents: z.number().int(), runs30d: z.number().int(), failures30d: z.number().int() }),
    health: z.enum(AGENT_HEALTH),
    lastActivityAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Client' });
