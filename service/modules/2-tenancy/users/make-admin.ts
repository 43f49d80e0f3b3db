import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { endSessions } from '#modules/2-tenancy/identity/index.ts';
import type { UsersDeps } from './deps.ts';
import { lockUser, makeUserAdmin } from './store.ts';

/** Makes a member of an agency an admin, whose own admins may all be gone or disabled. Its admins are notified from the audit entry. */
export async function makeAdmin({ db }: Pick<UsersDeps, 'db'>, caller: RequestContext, id: string, reason: string): Promise<void> {
  const { actor } = caller;
  await db.asStaff(actor, async (tx) => {
    const user = await lockUser(tx, id);
    if (!user) return refuse('not_found');
    const { partnerId, email, partnerRole } = user;
    if (partnerRole === null) return refuse('invalid_state', { detail: `${email} is no member of an agency.` });
    if (user.status !== 'active') return refuse('invalid_state', { detail: `${email} is disabled.` });
    if (partnerRole === 'admin') return refuse('invalid_state', { detail: `${email} is an admin already.` });
    await makeUserAdmin(tx, id);
    // A token carries the permission it was issued with.
    await endSessions(tx, id);
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'member.permission_changed',
      target: { type: 'user', id, label: email },
      changes: { partnerRole: [partnerRole, 'admin'], reason: [null, reason] },
      origin: originOf(caller),
    });
  });
}
