import type { AuthMethod } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Sessions } from '#platform/http/session.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { sessionUserOf } from './session-answer.ts';
import { markSignedIn, type SessionRow } from '../store.ts';

/** From where somebody comes in; every request context is one. */
export type Caller = Pick<RequestContext, 'address' | 'userAgent' | 'requestId' | 'now'>;
export type OpenedSession = { accessToken: string; expiresAt: Date; user: ReturnType<typeof sessionUserOf> };

/**
 * Opens a session for a user who has proved who they are; `authMethod` says how. Everybody who lets people in comes through
 * here: `user` is a row of `findUserByEmail` or `findUserById`, read in any transaction before this one. Refuses
 * `user_disabled`, and `invalid_credentials` for an account that is gone or a password that was changed since the row was
 * read. Writes `session.signed_in`, in the caller's transaction.
 */
export async function openSession(
  deps: { sessions: Sessions },
  tx: SystemTx,
  caller: Caller,
  user: SessionRow,
  authMethod: Exclude<AuthMethod, 'view_as'>,
): Promise<OpenedSession> {
  if (isGone(user)) return refuse('invalid_credentials');
  if (user.status !== 'active') return refuse('user_disabled', { detail: 'Ask an admin of your agency to enable this user.' });
  const standing = await markSignedIn(tx, user, caller.now, authMethod);
  if (!standing) return refuse('invalid_credentials', { detail: 'This user was changed while you signed in. Try again.' });
  const { id: userId, email, role, partnerId, clientId } = user;
  const { partnerRole } = standing;
  const who = { userId, email, role, partnerId, partnerRole, clientId, authMethod };
  const { accessToken, expiresAt, jti } = deps.sessions.issue({ ...who, validFrom: standing.sessionsValidFrom });
  const actor: Actor = { kind: 'user', ...who, jti, issuedAt: caller.now, expiresAt, readOnly: false, actingUserId: null };
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor,
    action: 'session.signed_in',
    target: { type: 'user', id: userId, label: email },
    origin: originOf(caller),
  });
  return { accessToken, expiresAt, user: sessionUserOf({ ...user, partnerRole, lastLoginAt: caller.now }, authMethod) };
}

/** Whether the account a user belongs to has been deleted: nobody comes in, and nobody is told. */
export function isGone(user: SessionRow): boolean {
  return user.partnerStatus === 'deleted' || user.clientStatus === 'deleted';
}
