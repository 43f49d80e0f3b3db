import type { PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { endSessions } from '#modules/2-tenancy/identity/index.ts';
import type { TeamDeps } from './deps.ts';
import { countOtherAdmins, deleteMember, findMember, lockTeam, type MemberRow, setPermission } from './store.ts';
import { toRecord } from './to-record.ts';

/** Promotes or demotes. Nobody changes their own permission (specification, Team permission), and one admin always stays. */
export async function changeMember({ db }: TeamDeps, caller: RequestContext, userId: string, partnerRole: PartnerRole) {
  const { actor } = caller;
  return db.asTenant(actor, async (tx) => {
    const member = await takeMember(tx, caller, userId, partnerRole === 'moderator');
    if (member.partnerRole === partnerRole) return toRecord(member);
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

/** Takes a member out of the agency. What they did stays on record by name. */
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
 * The member to be changed, with the team locked. `losesAdmin` says whether the change takes an admin away. Whoever lost their
 * own permission while waiting for the lock is refused: what their token says is older than what is.
 */
async function takeMember(tx: TenantTx, { actor }: RequestContext, userId: string, losesAdmin: boolean): Promise<MemberRow> {
  const isAdmin = await lockTeam(tx, actor.partnerId, actor.userId);
  const member = await findMember(tx, actor.partnerId, userId);
  if (!member) return refuse('not_found');
  if (userId === actor.userId)
    return refuse('cannot_change_own_permission', { detail: 'Ask another admin of your agency to change or remove you.' });
  const isLast = losesAdmin && member.partnerRole === 'admin' && (await countOtherAdmins(tx, actor.partnerId, userId)) === 0;
  if (isLast) return refuse('last_admin', { detail: `${member.email} is the only admin. Promote somebody else first.` });
  return isAdmin ? member : refuse('partner_role_forbidden');
}
