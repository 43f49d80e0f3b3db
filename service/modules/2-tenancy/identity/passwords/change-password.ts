import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { countAttempt } from '../failures.ts';
import { findKnownDevice } from '../known-device.ts';
import type { OpenedSession } from '../open-session.ts';
import { refuseWeak } from './reset-password.ts';
import { sessionUserOf } from '../session-answer.ts';
import { noteOpened } from '../store-sessions.ts';
import { endSessions, findSessionUser, findUserById, type SessionRow } from '../store.ts';
import { replacePassword } from './store-passwords.ts';

type Deps = Pick<IdentityDeps, 'db' | 'hasher' | 'dummyHash' | 'limits' | 'sessions' | 'queueMail' | 'baseUrl' | 'ssoRequirement'>;

/**
 * Changes one’s own password and ends every session. Returns a new session that expires with the one it replaces, because only the password
 * was proved here, not the second step or single sign-on. Where single sign-on is enforced a password proves nothing.
 */
export async function changePassword(
  deps: Deps,
  caller: RequestContext,
  input: { currentPassword: string; newPassword: string },
): Promise<OpenedSession> {
  const { actor, now } = caller;
  const deviceId = await findKnownDevice(deps, caller, (tx) => findUserById(tx, actor.userId));
  const guesser = { email: actor.email, address: caller.address, deviceId };
  const forgetAttempt = await countAttempt(deps, guesser);
  const requirement = await deps.db.asSystem('login', async (tx) => {
    const found = await findUserById(tx, actor.userId);
    return found ? deps.ssoRequirement(tx, found) : null;
  });
  if (requirement) return refuse('sso_required', { detail: 'Your agency logs in through its identity provider.', ...requirement });
  const user = await deps.db.asTenant(actor, (tx) => findSessionUser(tx, actor.userId));
  const before = user?.passwordHash ?? null;
  const isRight = await deps.hasher.verify(before ?? (await deps.dummyHash()), input.currentPassword);
  if (!isRight || !user || before === null) {
    return refuse('invalid_credentials', { detail: 'The current password is not correct.' });
  }
  await forgetAttempt();
  refuseWeak(deps, input.newPassword, user, 'newPassword');
  const after = await deps.hasher.hash(input.newPassword);
  const { authMethod } = actor;
  const opened = await deps.db.asTenant(actor, async (tx) => {
    if (!(await replacePassword(tx, actor.userId, before, after)))
      return refuse('invalid_credentials', { detail: 'The password was changed in the meantime.' });
    await endSessions(tx, actor.userId);
    const { partnerId, clientId, userId, email } = actor;
    const target = { type: 'user', id: userId, label: email };
    const changes: Record<string, [unknown, unknown]> = { password: ['changed', 'changed'] };
    await recordAudit(tx, { partnerId, clientId, actor, action: 'user.password_changed', target, changes, origin: originOf(caller) });
    await deps.queueMail(tx, { partnerId, to: email, userId, kind: 'password_changed', data: { at: now, how: 'changed' } });
    const row = await findSessionUser(tx, userId);
    if (!row) return null;
    const issued = deps.sessions.issue({ ...claimsOf(row), authMethod, validUntil: actor.expiresAt });
    const { jti, issuedAt: openedAt, expiresAt } = issued;
    const { address, userAgent } = caller;
    await noteOpened(tx, { jti, userId, authMethod, address, userAgent, openedAt, usedAt: now, expiresAt });
    return { row, issued };
  });
  if (!opened) return refuse('unauthenticated');
  const { row, issued } = opened;
  const { accessToken, jti, expiresAt } = issued;
  return { accessToken, jti, expiresAt, validFrom: row.sessionsValidFrom, user: sessionUserOf(row, authMethod) };
}

function claimsOf({ id: userId, email, role, partnerId, partnerRole, clientId, sessionsValidFrom: validFrom }: SessionRow) {
  return { userId, email, role, partnerId, partnerRole, clientId, validFrom };
}
