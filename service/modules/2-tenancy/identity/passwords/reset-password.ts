import { hashToken } from '#platform/one-time-token.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { namesAround, passwordProblem } from '@partner-portal/core/people/password.ts';
import { isAtHome } from '#platform/http/own-host.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { findKnownDevice } from '../known-device.ts';
import { type Caller, isDeletedAccount } from '../open-session.ts';
import { endSessions, findUserById, lockUser, type SessionRow } from '../store.ts';
import { findReset, setPassword, useReset } from './store-passwords.ts';

type Deps = Pick<IdentityDeps, 'db' | 'hasher' | 'queueMail' | 'limits' | 'sessions' | 'baseUrl'>;

/**
 * Redeems a reset link: sets the password and ends every session. A weak password leaves the link valid. Returns whose it was and from when
 * on sessions are valid.
 */
export async function resetPassword(
  deps: Deps,
  caller: Caller,
  input: { token: string; password: string },
): Promise<{ userId: string; validFrom: Date }> {
  const tokenHash = hashToken(input.token);
  const user = await deps.db.asSystem('login', async (tx) => {
    const reset = await findReset(tx, tokenHash, caller.now);
    return reset && (await findUserById(tx, reset.userId));
  });
  if (!user || user.status !== 'active' || isDeletedAccount(user) || !isAtHome(caller.ownHost, user)) return refuseInvalidLink();
  refuseWeak(deps, input.password, user, 'password');
  const passwordHash = await deps.hasher.hash(input.password);
  const deviceId = await findKnownDevice(deps, caller, async () => user);
  const validFrom = await deps.db.asSystem('login', async (tx) => {
    await lockUser(tx, user.id);
    if (!(await useReset(tx, tokenHash, caller.now))) return refuseInvalidLink();
    await setPassword(tx, user.id, passwordHash);
    const endedAt = await endSessions(tx, user.id);
    const { id, email, partnerId, clientId } = user;
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor: { kind: 'system' },
      action: 'user.password_reset',
      target: { type: 'user', id, label: email },
      changes: { password: ['changed', 'changed'] },
      origin: originOf(caller),
    });
    await deps.queueMail(tx, { partnerId, to: email, userId: id, kind: 'password_changed', data: { at: caller.now, how: 'reset' } });
    return endedAt;
  });
  // A user who forgot the password has usually failed with it before.
  if (deviceId !== null) await deps.limits.forget('loginFailureOfDevice', deviceId);
  await deps.limits.forget('loginFailure', `${user.email} ${caller.address}`);
  await deps.limits.forget('loginFailureOfAccount', user.email);
  await deps.limits.forget('loginProof', `${user.email} ${caller.address}`);
  return { userId: user.id, validFrom };
}

type Owner = Pick<SessionRow, 'email' | 'fullName' | 'partnerName' | 'clientName'>;

/** Refuses `weak_password` with the problem on the given field. */
export function refuseWeak(deps: Pick<IdentityDeps, 'baseUrl'>, password: string, user: Owner, field: string): void {
  const problem = passwordProblem(password, user.email, namesAround(deps.baseUrl, [user.fullName, user.partnerName, user.clientName]));
  if (problem) refuse('weak_password', { detail: problem.message, errors: [{ field, ...problem }] });
}

function refuseInvalidLink(): never {
  return refuse('reset_token_invalid', {
    detail: `A link works once, for ${LIMITS.passwordResetMinutes} minutes, and only the newest one works. Request another.`,
  });
}
