import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { email, id, idParams, page, pageQuery, password, text, time } from '../primitives.ts';
import { invitationRecord, invitationWithLink } from '../records/invitation.ts';
import { session } from '../records/user.ts';
import { INVITATION_KINDS, INVITATION_STATUSES, LIMITS, LOCALES } from '../vocabulary.ts';
import { isPublic, partnerWrite, staffOrPartner, staffOrPartnerWrite } from './access.ts';

const filters = {
  status: z.enum(INVITATION_STATUSES).optional(),
  kind: z.enum(INVITATION_KINDS).optional(),
  clientId: id.optional(),
  partnerId: id.optional(),
};

const listInvitations = defineRoute({
  method: 'GET',
  path: '/invitations',
  tag: 'invitations',
  summary: 'List invitations in scope',
  access: staffOrPartner,
  query: pageQuery.extend(filters),
  reply: { 200: page(invitationRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
});

export const invitationRoutes = {
  createInvitation: defineRoute({
    method: 'POST',
    path: '/invitations',
    tag: 'invitations',
    summary: 'Invite a team member or a client user',
    access: partnerWrite,
    body: z
      .object({ kind: z.enum(['team', 'client_user']), email, fullName: text(LIMITS.nameMax).optional(), clientId: id.optional() })
      .meta({
        examples: [
          { kind: 'client_user', email: 'jo@oakstreet.example', fullName: 'Jo Park', clientId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01' },
        ],
      }),
    reply: { 201: invitationWithLink },
    errors: ['validation_failed', 'not_found', 'email_in_use', 'seat_limit_reached', 'already_pending'],
    audit: 'invitation.created',
  }),
  listInvitations,
  exportInvitations: csvOf(listInvitations, 'Export the list as CSV, streamed; links are not in it'),
  resendInvitation: defineRoute({
    method: 'POST',
    path: '/invitations/:id/resend',
    tag: 'invitations',
    summary: 'Send a new link; the old one stops working. Staff send those of owners, also to a corrected address or after revoking one',
    access: staffOrPartnerWrite,
    params: idParams,
    /** Staff: the corrected address of an owner. The reply is then another invitation, and the one of the path is revoked. */
    body: z.object({ email: email.optional() }).optional(),
    reply: { 200: invitationWithLink },
    errors: ['not_found', 'validation_failed', 'invalid_state', 'seat_limit_reached', 'email_in_use', 'already_pending'],
    audit: 'invitation.resent',
  }),
  revokeInvitation: defineRoute({
    method: 'POST',
    path: '/invitations/:id/revoke',
    tag: 'invitations',
    summary: 'Revoke an invitation; staff revoke those of owners',
    access: staffOrPartnerWrite,
    params: idParams,
    reply: { 200: invitationRecord },
    errors: ['not_found', 'invalid_state'],
    audit: 'invitation.revoked',
  }),
  getInvitationByToken: defineRoute({
    method: 'GET',
    path: '/invitations/token/:token',
    tag: 'invitations',
    summary: 'Get what a link invites to',
    access: isPublic,
    limit: 'caller',
    params: z.object({ token: z.string().min(1).max(128) }),
    reply: {
      200: z.object({
        email: z.string(),
        fullName: z.string().nullable(),
        kind: z.enum(INVITATION_KINDS),
        partnerName: z.string(),
        logoUrl: z.string().nullable(),
        brandColor: z.string().nullable(),
        clientName: z.string().nullable(),
        /** The client's language; null for an invitation to an agency's team. */
        locale: z.enum(LOCALES).nullable(),
        invitedByName: z.string().nullable(),
        expiresAt: time,
        /** The agency enforces single sign-on: logging in here accepts the invitation, without a password. */
        ssoUrl: z.string().nullable(),
      }),
    },
    errors: ['not_found', 'invitation_expired', 'invitation_revoked', 'invitation_used'],
  }),
  acceptInvitation: defineRoute({
    method: 'POST',
    path: '/invitations/accept',
    tag: 'invitations',
    summary: 'Redeem a link: the account is created and logged in',
    access: isPublic,
    limit: 'caller',
    body: z.object({ token: z.string().min(1).max(128), password, fullName: text(LIMITS.nameMax).optional() }),
    reply: {
      201: z.object({
        email: z.string(),
        /** As a login with the new password returns it; null where the agency enforces single sign-on. */
        session: session.nullable(),
      }),
    },
    errors: [
      'not_found',
      'invitation_expired',
      'invitation_revoked',
      'invitation_used',
      'validation_failed',
      'weak_password',
      'email_in_use',
      'seat_limit_reached',
    ],
    audit: 'invitation.accepted',
  }),
};
