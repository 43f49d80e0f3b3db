import type {
  AccountScope,
  CLIENT_STATUSES,
  DeletionRequestStatus,
  PARTNER_STATUSES,
  Role,
  SuspensionCause,
} from '@partner-portal/contract/vocabulary.ts';

/** The end of an account and the way back. */

const DAY_MS = 86_400_000;

export type AccountStatus = (typeof PARTNER_STATUSES | typeof CLIENT_STATUSES)[number];
/** Which account a request is about. */
export type AccountKey = { scope: AccountScope; partnerId: string; clientId: string | null };
export type AccountState = { status: AccountStatus; suspensionCause: SuspensionCause | null };

/** Returns whether `role` decides requests about accounts of this scope: staff all, an agency those about its clients. */
export function mayDecide(role: Role, scope: AccountScope): boolean {
  return role === 'ADMIN' || (role === 'PARTNER' && scope === 'client');
}

/** Returns whether `role` may withdraw a request: only the side that made it. */
export function mayWithdraw(role: Role, requesterRole: Role): boolean {
  return role === requesterRole;
}

/** Returns from when an account whose deletion is approved at `now` is removed. */
export function purgeAfter(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** Returns why the deletion of an account cannot be approved; null when it can. It takes over from any other suspension. */
export function deletionObstacle({ status, suspensionCause }: AccountState): string | null {
  if (status === 'deleted') return 'This account is already deleted.';
  if (suspensionCause === 'deletion_approved') return 'The deletion of this account has already been approved.';
  return null;
}

/** Returns why an account cannot be reactivated; null when it can. */
export function reactivationObstacle({ status }: { status: string }): string | null {
  return status === 'suspended' ? null : `This account is ${status}, not suspended.`;
}

/**
 * Returns why an account cannot be resumed or archived by hand, nor begin a paid period; null when it can. After an approved deletion only an approved reactivation
 * leads back, so that the deletion is cancelled with it.
 */
export function manualChangeObstacle({ suspensionCause }: { suspensionCause: string | null }): string | null {
  return suspensionCause === 'deletion_approved'
    ? 'The deletion of this account is approved. Approve a reactivation request to bring it back.'
    : null;
}

/** Returns the status an approved reactivation restores: a client that was archived before its deletion was approved is archived again. */
export function reactivatedStatus(previousStatus: AccountStatus | null): 'active' | 'archived' {
  return previousStatus === 'archived' ? 'archived' : 'active';
}

/** The first reminder comes two days before the removal, but not within a day of the request; then one each week while the decision is missing. */
const REMINDED_BEFORE_MS = 2 * DAY_MS;
const ASKED_AT_LEAST_MS = DAY_MS;
const REMINDED_EVERY_MS = 7 * DAY_MS;

/** Returns up to which `purgeAfter` removals are near enough for a reminder. */
export function remindsUntil(now: Date): Date {
  return new Date(now.getTime() + REMINDED_BEFORE_MS);
}

/** Returns which reminder of a pending reactivation is due, counted from 0; null before the first. */
export function reminderNumber({ purgeAfter, requestedAt }: { purgeAfter: Date; requestedAt: Date }, now: Date): number | null {
  const first = Math.max(purgeAfter.getTime() - REMINDED_BEFORE_MS, requestedAt.getTime() + ASKED_AT_LEAST_MS);
  return now.getTime() < first ? null : Math.floor((now.getTime() - first) / REMINDED_EVERY_MS);
}

/** Returns whether a purge may begin: approved, due, the account still suspended by this deletion, and no reactivation waiting for its decision. */
export function isPurgeDue(
  request: { status: DeletionRequestStatus; purgeAfter: Date | null },
  account: AccountState & { isReactivationPending: boolean },
  now: Date,
): boolean {
  return (
    !account.isReactivationPending &&
    request.status === 'approved' &&
    request.purgeAfter !== null &&
    request.purgeAfter <= now &&
    account.status === 'suspended' &&
    account.suspensionCause === 'deletion_approved'
  );
}
