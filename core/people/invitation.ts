import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import { type INVITATION_STATUSES, LIMITS } from '@partner-portal/contract/vocabulary.ts';

/** An invitation is `pending` until it is accepted or revoked. `expired` is derived from the time and never stored. */
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export type InvitationFacts = { status: string; expiresAt: Date };

export function invitationStatus(invitation: InvitationFacts, now: Date): InvitationStatus {
  if (invitation.status === 'accepted' || invitation.status === 'revoked') return invitation.status;
  return invitation.expiresAt.getTime() <= now.getTime() ? 'expired' : 'pending';
}

/** Returns why a link is no longer valid, or null while it is. `isReplaced`: the invitation was resent and this is an older link. */
export function invalidLinkCode(invitation: InvitationFacts & { isReplaced: boolean }, now: Date): InvalidLinkCode | null {
  const status = invitationStatus(invitation, now);
  if (status === 'pending') return invitation.isReplaced ? 'invitation_revoked' : null;
  return INVALID_LINK_CODES[status];
}

type InvalidLinkCode = Extract<ErrorCode, 'invitation_expired' | 'invitation_revoked' | 'invitation_used'>;

const INVALID_LINK_CODES: Record<Exclude<InvitationStatus, 'pending'>, InvalidLinkCode> = {
  expired: 'invitation_expired',
  revoked: 'invitation_revoked',
  accepted: 'invitation_used',
};

/** Returns whether the invitation can be resent: it is neither accepted nor revoked. */
export function mayResend(invitation: InvitationFacts, now: Date): boolean {
  return ['pending', 'expired'].includes(invitationStatus(invitation, now));
}

/** Returns whether the invitation can be revoked. Revoking an invalid link again is allowed; an accepted one is a user by then. */
export function mayRevoke(invitation: InvitationFacts, now: Date): boolean {
  return invitationStatus(invitation, now) !== 'accepted';
}

/** Returns when a link sent at `sentAt` expires. */
export function invitationExpiry(sentAt: Date): Date {
  return new Date(sentAt.getTime() + LIMITS.invitationDays * 86_400_000);
}
