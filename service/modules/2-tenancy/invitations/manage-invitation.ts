import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { mayResend, mayRevoke, invitationStatus } from '@partner-portal/core/people/invitation.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { allowInvitationMail } from './allow-mail.ts';
import { mailInvitation, newLink, toRecord } from './issue-invitation.ts';
import { type InvitationDeps, refuseWithoutSeat } from './invite-person.ts';
import { findAccountOf, type InvitationRow, lockInvitation, renewInvitation, revoke } from './store.ts';

/** Sends a new link, valid for seven days; the old one becomes invalid. An expired invitation takes a seat again. */
export async function resendInvitation(deps: InvitationDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  return deps.db.asTenant(actor, async (tx) => {
    // Lock order: partner, mail, invitation.
    await allowInvitationMail(tx, deps.invitationCaps, actor.partnerId, now);
    await deps.mail.cancelMail(tx, { partnerId: actor.partnerId, invitationId: id });
    const before = await lockInvitation(tx, id);
    if (!before) return refuse('not_found');
    if (!mayResend(before, now)) return refuse('invalid_state', { detail: `This invitation is ${before.status}; send a new one instead.` });
    const takesSeat = before.kind !== 'client_user' && invitationStatus(before, now) === 'expired';
    if (takesSeat) await refuseWithoutSeat(tx, actor.partnerId, now);
    const { acceptUrl, ...link } = await newLink(tx, deps, before, now);
    const row = await renewInvitation(tx, id, link);
    if (!row) return refuse('not_found');
    const { hasAccount } = await findAccountOf(tx, actor.partnerId, row.email);
    const mailed = await mailInvitation(tx, deps, { row, acceptUrl, hasAccount });
    await audit(tx, caller, row, 'invitation.resent');
    return { ...toRecord(mailed, now), acceptUrl };
  });
}

/** Revokes an invitation. Idempotent. */
export async function revokeInvitation(deps: InvitationDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  return deps.db.asTenant(actor, async (tx) => {
    // Lock order: the sender holds the mail while it updates the invitation.
    await deps.mail.cancelMail(tx, { partnerId: actor.partnerId, invitationId: id });
    const before = await lockInvitation(tx, id);
    if (!before) return refuse('not_found');
    if (!mayRevoke(before, now)) return refuse('invalid_state', { detail: 'This invitation was accepted; the person is already a user.' });
    if (before.status === 'revoked') return toRecord(before, now);
    const row = await revoke(tx, id, now);
    if (!row) return refuse('not_found');
    await audit(tx, caller, row, 'invitation.revoked');
    return toRecord(row, now);
  });
}

async function audit(tx: TenantTx, caller: RequestContext, row: InvitationRow, action: AuditAction): Promise<void> {
  const target = { type: 'invitation', id: row.id, label: row.email };
  await recordAudit(tx, {
    partnerId: row.partnerId,
    clientId: row.clientId,
    actor: caller.actor,
    action,
    target,
    origin: originOf(caller),
  });
}
