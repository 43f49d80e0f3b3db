import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { endSessions } from '#modules/2-tenancy/identity/index.ts';
import { findUser, lockUser, setUserStatus } from './store.ts';

/** Disables or enables a user. Disabling ends every session; no one disables themselves. */
export async function changeStatus({ db }: { db: Database }, caller: RequestContext, id: string, status: 'active' | 'disabled') {
  const { actor } = caller;
  return db.asStaff(actor, async (tx) => {
    const before = await lockUser(tx, id);
    if (!before) return refuse('not_found');
    requireMatch(caller.header('if-match'), before.updatedAt);
    if (id === actor.userId) return refuse('cannot_change_own_permission', { detail: 'You cannot disable yourself.' });
    if (before.status !== status) {
      await setUserStatus(tx, id, status);
      if (status === 'disabled') await endSessions(tx, id);
      const { partnerId, clientId } = before;
      const target = { type: 'user', id, label: before.email };
      await recordAudit(tx, {
        partnerId,
        clientId,
        actor,
        action: 'user.status_changed',
        target,
        changes: { status: [before.status, status] },
        origin: originOf(caller),
      });
    }
    return (await findUser(tx, id)) ?? refuse('not_found');
  });
}
