import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { EMAIL_STATUSES, INVITATION_KINDS, INVITATION_STATUSES, PARTNER_ROLES } from '../vocabulary.ts';

export const invitationRecord = z
  .object({
    id,
    kind: z.enum(INVITATION_KINDS),
    email: z.string(),
    fullName: z.string().nullable(),
    partnerId: id,
    clientId: id.nullable(),
    partnerRole: z.enum(PARTNER_ROLES).nullable(),
    status: z.enum(INVITATION_STATUSES),
    invitedBy: id.nullable(),
    sentAt: time,
    expiresAt: time,
    acceptedAt: time.nullable(),
    revokedAt: time.nullable(),
    resendCount: z.number().int(),
    /** Null while the mail is queued; `sent` once the mail server has accepted it. */
    emailStatus: z.enum(EMAIL_STATUSES).nullable(),
  })
  .meta({ id: 'Invitation' });

/** `acceptUrl` is returned only on create and resend. */
export const invitationWithLink = invitationRecord.extend({ acceptUrl: z.string() }).meta({ id: 'InvitationWithLink' });
