import type { AuthMethod } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { isAtHome } from '#platform/http/own-host.ts';
import type { Sessions } from '#platform/http/session.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { sessionUserOf } from './session-answer.ts';
import { noteOpened } from './store-sessions.ts';
import { markSignedIn, type SessionRow } from './store.ts';

/** Origin of a sign-in; every request context is one. */
export type Caller = Pick<RequestContext, 'address' | 'userAgent' | 'requestId' | 'now'> &
  Partial<Pick<RequestContext, 'header' | 'ownHost'>>;
/** `validFrom`: from when on sessions of the user are valid. */
export type OpenedSession = { accessToken: string; jti: string; expiresAt: Date; validFrom: Date; user: ReturnType<typeof sessionUserOf> };

/**
 * Opens a session for a user who proved their identity by `authMethod`. Every sign-in ends here. `user` was read in an earlier transaction;
 * `until`: the session ends by then at the latest, as an identity provider wants it. Refuses `user_disabled`, and `invalid_credentials` for a deleted account or a password changed since. Writes `session.signed_in`.
 */
export async function openSession(
  deps: { sessions: Sessions },
  tx: SystemTx,
  caller: Caller,
  user: SessionRow,
  authMethod: Exclude<AuthMethod, 'view_as'>,
  until: Date | null = null,
): Promise<OpenedSession> {
  if (isDeletedAccount(user) || !isAtHome(caller.ownHost, user)) return refuse('invalid_credentials');
  if (user.status !== 'active')
    return refuse('user_disabled', {
      detail: 'Only support can enable it again. Contact support, or ask an admin of your agency to do so.',
    });
  const marked = await markSignedIn(tx, user, caller.now, authMethod);
  if (!marked) return refuse('invalid_credentials', { detail: 'This user was changed while you logged in. Try again.' });
  const { id: userId, email, role, partnerId, clientId } = user;
  const { partnerRole } = marked;
  const who = { userId, email, role, partnerId, partnerRole, clientId, authMethod };
  const {
    accessToken,
    issuedAt: openedAt,
    expiresAt,
    jti,
  } = deps.sessions.issue({
    ...who,
    validFrom: marked.sessionsValidFrom,
    ...(until ? { validUntil: until } : {}),
  });
  const { address, userAgent, now: usedAt } = caller;
  await noteOpened(tx, { jti, userId, authMethod, address, userAgent, openedAt, usedAt, expiresAt });
  const actor: Actor = {
    kind: 'user',
    ...who,
    jti,
    issuedAt: caller.now,
    expiresAt,
    readOnly: false,
    actingUserId: null,
    whileSuspended: false,
  };
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor,
    action: 'session.signed_in',
    target: { type: 'user', id: userId, label: email },
    origin: originOf(caller),
  });
  const opened = sessionUserOf({ ...user, partnerRole, lastLoginAt: caller.now }, authMethod);
  return { accessToken, jti, expiresAt, validFrom: marked.sessionsValidFrom, user: opened };
}

/** Whether the account of the user was deleted. Login then fails as for an unknown user. */
export function isDeletedAccount(user: SessionRow): boolean {
  return user.partnerStatus === 'deleted' || user.clientStatus === 'deleted';
}
