import type { PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { endSessions } from '#modules/2-tenancy/identity/index.ts';
import type { TeamDeps } from './deps.ts';
import { countOtherAdmins, deleteMember, findMember, lockTeam, type MemberRow, setPermission } from './store.ts';
import { toRecord } from './to-record.ts';

/**
 * Promotes or demotes a member. No one changes their own permission, and one admin always remains. A new admin may do all that a recent login
 * protects, so making one needs it too (docs/behaviour/identity.md ID-37).
 */
export async function changeMember({ db }: TeamDeps, caller: RequestContext, userId: string, partnerRole: PartnerRole) {
  const { actor } = caller;
  const requireRecentLogin = partnerRole === 'admin' ? await caller.checkLogin() : undefined;
  return db.asTenant(actor, async (tx) => {
    const member = await takeMember(tx, caller, userId, partnerRole === 'moderator');
    if (member.partnerRole === partnerRole) return toRecord(member);
    requireRecentLogin?.();
    await setPermission(tx, userId, partnerRole);
    // A token carries the permission it was issued with.
    await endSessions(tx, userId);
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'member.permission_changed',
      target: { type: 'user', id: userId, label: member.email },
      changes: { partnerRole: [member.partnerRole, partnerRole] },
      origin: originOf(caller),
    });
    return toRecord({ ...member, partnerRole });
  });
}

/** Removes a member. Audit entries keep their name. */
export async function removeMember({ db }: TeamDeps, caller: RequestContext, userId: string): Promise<void> {
  const { actor } = caller;
  await db.asTenant(actor, async (tx) => {
    const member = await takeMember(tx, caller, userId, true);
    await deleteMember(tx, userId);
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'member.removed',
      target: { type: 'user', id: userId, label: member.email },
      changes: { partnerRole: [member.partnerRole, null] },
      origin: originOf(caller),
    });
  });
}

/**
 * Locks the team and returns the member to change. `losesAdmin`: whether the change removes an admin. A caller who lost their permission
 * while waiting for the lock is refused.
 */
async function takeMember(tx: TenantTx, { actor }: RequestContext, userId: string, losesAdmin: boolean): Promise<MemberRow> {
  const isAdmin = await lockTeam(tx, actor.partnerId, actor.userId);
  const member = await findMember(tx, actor.partnerId, userId);
  if (!member) return refuse('not_found');
  if (userId === actor.userId)
    return refuse('cannot_change_own_permission', { detail: 'Ask another admin of your agency to change or remove you.' });
  const isLast = losesAdmin && member.partnerRole === 'admin' && (await countOtherAdmins(tx, actor.partnerId, userId)) === 0;
  if (isLast) return refuse('last_admin', { detail: `${member.email} is the only admin. Promote someone else first.` });
  return isAdmin ? member : refuse('partner_role_forbidden');
}
