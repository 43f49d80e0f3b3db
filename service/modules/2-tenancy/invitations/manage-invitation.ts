import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { invitationStatus, mayResend, mayRevoke } from '@partner-portal/core/people/invitation.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { allowInvitationMail } from './allow-mail.ts';
import { issueAllowed, mailInvitation, newLink, toRecord } from './issue-invitation.ts';
import { type InvitationDeps, refuseWithoutSeat } from './invite-person.ts';
import { findAccountOf, findPartnerOf, hasOtherOwner, type InvitationRow, lockInvitation, renewInvitation, revoke } from './store.ts';

/**
 * Sends a new link, valid for seven days; the old one becomes invalid. An expired invitation takes a seat again. Staff do so for the owner of a
 * workspace that no one has entered: to another address (`email`) or after the invitation was revoked it is a new invitation (TEN-33).
 */
export async function resendInvitation(
  deps: InvitationDeps,
  caller: RequestContext,
  id: string,
  { email }: { email?: string | undefined } = {},
) {
  const { now } = caller;
  return inScope(deps.db, caller.actor, undefined, async (tx) => {
    const partnerId = (await findPartnerOf(tx, id)) ?? refuse('not_found');
    // Lock order: partner, mail, invitation.
    await allowInvitationMail(tx, deps.invitationCaps, partnerId, now);
    await deps.mail.cancelMail(tx, { partnerId, invitationId: id });
    const before = (await lockInvitation(tx, id)) ?? refuse('not_found');
    refuseOthersInvitation(caller, before);
    if (email !== undefined && email !== before.email) refuseCorrection(caller);
    const mayReplace = caller.actor.role === 'ADMIN' && before.status === 'revoked' && !(await hasOtherOwner(tx, before));
    if (!mayResend(before, now) && !mayReplace)
      return refuse('invalid_state', { detail: `This invitation is ${before.status}; ${insteadOf(before, caller)}.` });
    const takesSeat = before.kind !== 'client_user' && invitationStatus(before, now) !== 'pending';
    if (takesSeat) await refuseWithoutSeat(tx, partnerId, now);
    if (mayReplace || (email !== undefined && email !== before.email)) return replace(tx, deps, caller, before, email ?? before.email);
    const { acceptUrl, ...link } = await newLink(tx, deps, before, now);
    const row = await renewInvitation(tx, id, link);
    if (!row) return refuse('not_found');
    const { hasAccount } = await findAccountOf(tx, partnerId, row.email);
    const mailed = await mailInvitation(tx, deps, { row, acceptUrl, hasAccount });
    await audit(tx, caller, row, 'invitation.resent');
    return { ...toRecord(mailed, now), acceptUrl };
  });
}

/** The link of before says that it was revoked, and not where the new one went: another person may hold it. */
async function replace(tx: Tx, deps: InvitationDeps, caller: RequestContext, before: InvitationRow, email: string) {
  const { partnerId, kind, fullName, partnerRole } = before;
  await revoke(tx, before.id, caller.now);
  const invitation = await issueAllowed(tx, deps, {
    partnerId,
    kind,
    email,
    fullName,
    partnerRole,
    invitedBy: caller.actor.userId,
    sentAt: caller.now,
  });
  await audit(tx, caller, { ...before, id: invitation.id, email }, 'invitation.resent', { email: [before.email, email] });
  return invitation;
}

/** Revokes an invitation. Idempotent. */
export async function revokeInvitation(deps: InvitationDeps, caller: RequestContext, id: string) {
  const { now } = caller;
  return inScope(deps.db, caller.actor, undefined, async (tx) => {
    const partnerId = (await findPartnerOf(tx, id)) ?? refuse('not_found');
    // Lock order: the sender holds the mail while it updates the invitation.
    await deps.mail.cancelMail(tx, { partnerId, invitationId: id });
    const before = (await lockInvitation(tx, id)) ?? refuse('not_found');
    refuseOthersInvitation(caller, before);
    if (!mayRevoke(before, now)) return refuse('invalid_state', { detail: 'This invitation was accepted; the person is already a user.' });
    if (before.status === 'revoked') return toRecord(before, now);
    const row = await revoke(tx, id, now);
    if (!row) return refuse('not_found');
    await audit(tx, caller, row, 'invitation.revoked');
    return toRecord(row, now);
  });
}

/** A workspace has no user before its owner accepts, so staff act for it. Who else is invited is the agency's. */
function refuseOthersInvitation({ actor }: RequestContext, { kind }: InvitationRow): void {
  if (actor.role === 'ADMIN' && kind !== 'owner')
    refuse('role_forbidden', { detail: 'Only an admin of the agency sends or revokes the invitations of its team and clients.' });
}

function insteadOf({ status }: InvitationRow, { actor }: RequestContext): string {
  if (actor.role !== 'ADMIN') return 'send a new one instead';
  return status === 'accepted' ? 'the person is already a user' : 'another one for the owner is open or was accepted';
}

function refuseCorrection({ actor }: RequestContext): void {
  if (actor.role !== 'ADMIN') refuseField('email', 'not_allowed', 'Revoke this invitation, and invite the other address.');
}

async function audit(
  tx: Tx,
  caller: RequestContext,
  row: InvitationRow,
  action: AuditAction,
  changes?: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'invitation', id: row.id, label: row.email };
  await recordAudit(tx, {
    partnerId: row.partnerId,
    clientId: row.clientId,
    actor: caller.actor,
    action,
    target,
    ...(changes ? { changes } : {}),
    origin: originOf(caller),
  });
}
