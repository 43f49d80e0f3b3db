import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { suspensionRecord } from './account.ts';
import { AUTH_METHODS, PARTNER_ROLES, PARTNER_STATUSES, ROLES, THEMES, USER_STATUSES } from '../vocabulary.ts';

export const userRecord = z
  .object({
    id,
    email: z.string(),
    fullName: z.string(),
    role: z.enum(ROLES),
    partnerId: id,
    partnerRole: z.enum(PARTNER_ROLES).nullable(),
    clientId: id.nullable(),
    status: z.enum(USER_STATUSES),
    mfaEnabled: z.boolean(),
    /** Path of the picture, relative to the base address; `?size=small` gives a smaller one. */
    avatarUrl: z.string().nullable(),
    locale: z.string(),
    timezone: z.string(),
    theme: z.enum(THEMES),
    lastLoginAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'User' });

/** A member of a partner's team. `authMethod`: of the last sign-in; null before the first. */
export const teamMember = z
  .object({
    id,
    email: z.string(),
    fullName: z.string(),
    partnerRole: z.enum(PARTNER_ROLES),
    status: z.enum(USER_STATUSES),
    mfaEnabled: z.boolean(),
    avatarUrl: z.string().nullable(),
    lastLoginAt: time.nullable(),
    authMethod: z.enum(AUTH_METHODS).nullable(),
    createdAt: time,
  })
  .meta({ id: 'TeamMember' });

/** An open session of the user who reads it. Browser and system are what the user agent claims; the address is that of the last use. */
export const openSession = z
  .object({
    id,
    browser: z.string().nullable(),
    system: z.string().nullable(),
    address: z.string(),
    authMethod: z.enum(AUTH_METHODS),
    /** Whether it is the session of this request. */
    isCurrent: z.boolean(),
    openedAt: time,
    /** Accurate to a few minutes. */
    lastUsedAt: time,
    expiresAt: time,
  })
  .meta({ id: 'OpenSession' });

/** `used`: members and pending team invitations, one seat each. */
export const seatCounts = z.object({
  included: z.number().int(),
  purchased: z.number().int(),
  total: z.number().int(),
  used: z.number().int(),
  pendingInvites: z.number().int(),
});

export const sessionPartner = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  logoUrl: z.string().nullable(),
  /** The text in place of the logo; null without one. */
  logoAlt: z.string().nullable(),
  brandColor: z.string().nullable(),
  status: z.enum(PARTNER_STATUSES),
  timezone: z.string(),
});

export const features = z.object({
  sso: z.boolean(),
  chatbot: z.boolean(),
  customTemplates: z.boolean().describe('Opens nothing today: custom agent requests are open to every plan'),
  aiPlatformKeys: z.boolean(),
  customDomain: z.boolean(),
  auditRetentionDays: z.number().int(),
});

export const sessionUser = userRecord
  .extend({
    partner: sessionPartner,
    client: z.object({ id, name: z.string() }).nullable(),
    features,
    /** Why the account answers to little; null while it is active. */
    suspension: suspensionRecord.nullable(),
    authMethod: z.enum(AUTH_METHODS).optional(),
    /** Only for a view-as session: who is viewing, why, and until when. */
    viewAs: z.object({ name: z.string(), reason: z.string(), expiresAt: time }).optional(),
  })
  .meta({ id: 'SessionUser' });

/** Result of a successful sign-in. */
export const session = z.object({ accessToken: z.string(), expiresAt: time, user: sessionUser });
