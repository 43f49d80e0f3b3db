import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { countAttempt } from '../failures.ts';
import { findKnownDevice } from '../known-device.ts';
import { findUserById } from '../store.ts';
import { markProven, noteOpened } from '../store-sessions.ts';

type Deps = Pick<IdentityDeps, 'db' | 'sessions' | 'limits' | 'hasher' | 'dummyHash' | 'ssoRequirement'>;

/**
 * Confirms the session with the password, so that routes with `needsRecentLogin` accept it for a while. Who holds a session has attempts of their own, as a
 * known device has: guesses of strangers must not keep its user from this. Where single sign-on is enforced a password confirms nothing.
 */
export async function reauthenticate(
  deps: Deps,
  caller: RequestContext,
  { password }: { password: string },
): Promise<{ confirmedUntil: Date }> {
  const { actor, address, userAgent, now } = caller;
  const { userId, jti, authMethod, email, partnerId, clientId, issuedAt: openedAt, expiresAt } = actor;
  const deviceId = (await findKnownDevice(deps, caller, (tx) => findUserById(tx, userId))) ?? jti;
  const forgetAttempt = await countAttempt(deps, { email, address, deviceId });
  const { user, requirement } = await deps.db.asSystem('login', async (tx) => {
    const found = await findUserById(tx, userId);
    return { user: found, requirement: found ? await deps.ssoRequirement(tx, found) : null };
  });
  if (requirement) return refuse('sso_required', { detail: 'Log in through your identity provider again.', ...requirement });
  const isRight = await deps.hasher.verify(user?.passwordHash ?? (await deps.dummyHash()), password);
  if (!isRight || !user?.passwordHash) return refuse('invalid_credentials', { detail: 'The password is not correct.' });
  await forgetAttempt();
  await deps.db.asSystem('login', async (tx) => {
    await noteOpened(tx, { jti, userId, authMethod, address, userAgent, openedAt, usedAt: now, expiresAt });
    await markProven(tx, jti, now);
    const target = { type: 'user', id: userId, label: email };
    await recordAudit(tx, { partnerId, clientId, actor, action: 'session.reauthenticated', target, origin: originOf(caller) });
  });
  return { confirmedUntil: new Date(now.getTime() + LIMITS.recentLoginMinutes * 60_000) };
}
