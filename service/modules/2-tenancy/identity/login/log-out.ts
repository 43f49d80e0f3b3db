import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { ownEntryOf } from '../own-entry.ts';
import { endSessions, revokeSession } from '../store.ts';
import { endViewAs } from '../view-as/view-as.ts';

/** Ends this session: its token gets 401 from the next call on. In a view-as session only that ends. */
export async function logOut(deps: { db: Database }, caller: RequestContext): Promise<void> {
  const { actor } = caller;
  if (actor.readOnly) return endViewAs(deps, caller);
  await deps.db.asTenant(actor, async (tx) => {
    await revokeSession(tx, actor.jti, actor.expiresAt);
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'session.signed_out' });
  });
}

/** Ends every session of the caller, including this one. */
export async function logOutEverywhere(deps: { db: Database }, caller: RequestContext): Promise<void> {
  await deps.db.asTenant(caller.actor, async (tx) => {
    await endSessions(tx, caller.actor.userId);
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'session.signed_out_everywhere' });
  });
}
