import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { takeAvatar } from '#modules/2-tenancy/media/index.ts';
import { refusePersonName } from './refuse-name.ts';
import { sessionUserOf } from './session-answer.ts';
import { findSessionUser, lockOwnUser, type ProfileChange, updateProfile } from './store.ts';

/** Changes the own profile; moderators may, because it is theirs and not the partner's. */
export async function updateMe(
  deps: { db: Database },
  caller: RequestContext,
  given: { [Field in keyof ProfileChange]?: ProfileChange[Field] | undefined },
) {
  const { actor } = caller;
  refusePersonName('fullName', given.fullName);
  const row = await deps.db.asTenant(actor, async (tx) => {
    const { avatarMediaId } = given;
    const avatar = avatarMediaId === undefined ? {} : { avatarUrl: await takeAvatar(tx, actor, avatarMediaId) };
    const before = await lockOwnUser(tx, actor.userId);
    if (!before) return refuse('unauthenticated');
    requireMatch(caller.header('if-match'), before.updatedAt);
    const changes = changesBetween(before, given);
    const change: ProfileChange = Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]));
    if (Object.keys(changes).length > 0) {
      await updateProfile(tx, actor.userId, { ...change, ...avatar });
      const target = { type: 'user', id: actor.userId, label: actor.email };
      const { partnerId, clientId } = actor;
      await recordAudit(tx, { partnerId, clientId, actor, action: 'user.profile_changed', target, changes, origin: originOf(caller) });
    }
    return findSessionUser(tx, actor.userId);
  });
  if (!row) return refuse('unauthenticated');
  return sessionUserOf(row, actor.authMethod);
}
