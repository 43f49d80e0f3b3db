import { describeDevice } from '@partner-portal/core/people/device.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { ownEntryOf } from '../own-entry.ts';
import { revokeSession } from '../store.ts';
import { endOtherSessions, findOpenSession, listOpenSessions } from '../store-sessions.ts';

type Deps = { db: Database };

const LISTED = 50;

/** Returns the caller's own open sessions, the last used first; the one of this request is marked. */
export async function listOwnSessions({ db }: Deps, { actor }: Pick<RequestContext, 'actor'>) {
  const rows = await db.asTenant(actor, (tx) => listOpenSessions(tx, actor.userId, LISTED));
  return rows.map(({ userAgent, ...row }) => ({ ...row, ...describeDevice(userAgent), isCurrent: row.id === actor.jti }));
}

/** Ends one of the caller's own sessions; `not_found` for one that has ended and for one of another user. */
export async function endOwnSession({ db }: Deps, caller: RequestContext, id: string): Promise<void> {
  const { actor } = caller;
  await db.asTenant(actor, async (tx) => {
    const session = (await findOpenSession(tx, actor.userId, id)) ?? refuse('not_found');
    await revokeSession(tx, id, session.expiresAt);
    await recordAudit(tx, { ...ownEntryOf(caller), action: 'session.ended' });
  });
}

/** Ends every session of the caller but this one. Returns how many. */
export async function endOwnOtherSessions({ db }: Deps, caller: RequestContext): Promise<{ ended: number }> {
  const { actor } = caller;
  return db.asTenant(actor, async (tx) => {
    const ended = await endOtherSessions(tx, actor.userId, actor.jti);
    if (ended > 0) await recordAudit(tx, { ...ownEntryOf(caller), action: 'session.ended_others', changes: { sessions: [ended, 0] } });
    return { ended };
  });
}
