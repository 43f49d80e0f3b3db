import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import { type INVITATION_STATUSES, LIMITS } from '@partner-portal/contract/vocabulary.ts';

/**
 * An invitation's life: `pending` until it is accepted or revoked. `expired` is a pending one whose time has passed; nobody
 * has to write that down. Source: specification, Invitation; product.md §4.4.
 */
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export type InvitationFacts = { status: string; expiresAt: Date };

export function invitationStatus(invitation: InvitationFacts, now: Date): InvitationStatus {
  if (invitation.status === 'accepted' || invitation.status === 'revoked') return invitation.status;
  return invitation.expiresAt.getTime() <= now.getTime() ? 'expired' : 'pending';
}

/** Why a link no longer redeems; null while it does. `isReplaced`: the invitation was resent, and this is an older link of it. */
export function invalidLinkCode(
  invitation: InvitationFacts & { isReplaced: boolean },
  now: Date,
): Extract<ErrorCode, 'invitation_expired' | 'invitation_revoked' | 'invitation_used'> | null {
  const status = invitationStatus(invitation, now);
  if (status === 'pending') return invitation.isReplaced ? 'invitation_revoked' : null;
  return status === 'expired' ? 'invitation_expired' : status === 'revoked' ? 'invitation_revoked' : 'invitation_used';
}

/** Resend gives a new link as long as nobody came in and nobody took it back. */
export function mayResend(invitation: InvitationFacts, now: Date): boolean {
  return ['pending', 'expired'].includes(invitationStatus(invitation, now));
}

/** Revoking a dead link again changes nothing and is allowed; an accepted one is a user by now. */
export function mayRevoke(invitation: InvitationFacts, now: Date): boolean {
  return invitationStatus(invitation, now) !== 'accepted';
}

/** When a link sent at `sentAt` dies: 7 days later (specification, Limits). */
export function invitationExpiry(sentAt: Date): Date {
  return new Date(sentAt.getTime() + LIMITS.invitationDays * 86_400_000);
}
