import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { guardCodes } from './guard-codes.ts';
import { findKnownDevice } from '../known-device.ts';
import { type Caller, type OpenedSession, openSession } from '../open-session.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { openTotp } from './seal-totp.ts';
import { findUserById, lockUser, type SessionRow } from '../store.ts';
import { useRecoveryCode, type ChallengeRow, countWrongCode, insertChallenge, lockChallenge, useStep, useChallenge } from './store-mfa.ts';
import { stepOfCode } from './totp.ts';

type Deps = Pick<IdentityDeps, 'db' | 'sessions' | 'limits' | 'dataKeys' | 'ssoRequirement'>;

/** Opens the challenge after a correct password when a code is required. The token is valid for nothing else. */
export async function openChallenge(deps: Pick<Deps, 'sessions'>, tx: SystemTx, caller: Caller, user: SessionRow) {
  const id = newId();
  const { tempToken, expiresAt } = deps.sessions.issueChallenge({ id, userId: user.id });
  const isStored = await insertChallenge(tx, { id, userId: user.id, passwordHash: user.passwordHash, expiresAt });
  if (!isStored) return refuse('invalid_credentials', { detail: 'This user was changed while you logged in. Try again.' });
  return { mfaRequired: true as const, tempToken };
}

/** Logs in with a code of the authenticator app. A code works once, across all challenges. */
export function verifyCode(deps: Deps, caller: Caller, input: { tempToken: string; token: string }): Promise<OpenedSession> {
  return passChallenge(deps, caller, input.tempToken, async (tx, { userId, partnerId, mfa }) => {
    // Without its data key the partner is being purged.
    if (!mfa || mfa.dataKeyDestroyedAt) return false;
    const step = stepOfCode(openTotp(deps.dataKeys, { userId, partnerId }, mfa), input.token, caller.now);
    return step !== null && useStep(tx, userId, step);
  });
}

/** Logs in with a recovery code and uses it up. */
export function recover(deps: Deps, caller: Caller, input: { tempToken: string; recoveryCode: string }): Promise<OpenedSession> {
  return passChallenge(deps, caller, input.tempToken, async (tx, challenge) => {
    const { userId, partnerId, clientId, email } = challenge;
    if (!(await useRecoveryCode(tx, userId, hashRecoveryCode(userId, input.recoveryCode), caller.now))) return false;
    const target = { type: 'user', id: userId, label: email };
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor: { kind: 'system' },
      action: 'mfa.recovery_code_used',
      target,
      origin: originOf(caller),
    });
    return true;
  });
}

type Outcome = { session: OpenedSession } | { wrongCodes: number } | 'mfa_challenge_expired' | 'mfa_attempts_exhausted';

/**
 * The challenge is locked while its code is verified, and a wrong code is counted in the same transaction: the limit holds for concurrent
 * attempts in any number of processes.
 */
async function passChallenge(
  deps: Deps,
  caller: Caller,
  tempToken: string,
  prove: (tx: SystemTx, challenge: ChallengeRow) => Promise<boolean>,
): Promise<OpenedSession> {
  const { id, userId } = deps.sessions.readChallenge(tempToken);
  const deviceId = await findKnownDevice(deps, caller, (tx) => findUserById(tx, userId), { secondStep: true });
  const outcome = await guardCodes(
    deps.limits,
    { userId, deviceId },
    () => deps.db.asSystem('login', (tx) => tryOnce(deps, tx, caller, { id, userId }, prove)),
    (result) => typeof result === 'object' && 'wrongCodes' in result,
  );
  return sessionOf(outcome);
}

async function tryOnce(
  deps: Deps,
  tx: SystemTx,
  caller: Caller,
  { id, userId: claimedUserId }: { id: string; userId: string },
  prove: (tx: SystemTx, challenge: ChallengeRow) => Promise<boolean>,
): Promise<Outcome> {
  await lockUser(tx, claimedUserId);
  const challenge = await lockChallenge(tx, id, caller.now);
  if (challenge && challenge.wrongCodes >= LIMITS.mfaAttempts) return 'mfa_attempts_exhausted';
  if (!challenge?.isValid) return 'mfa_challenge_expired';
  const { ownHost } = caller;
  if (ownHost && (challenge.clientId === null || challenge.partnerId !== ownHost.partnerId)) return 'mfa_challenge_expired';
  if (await prove(tx, challenge)) {
    const user = await findUserById(tx, challenge.userId);
    if (!user) return 'mfa_challenge_expired';
    // The partner may have enforced single sign-on since the password was verified.
    const requirement = user.status === 'active' ? await deps.ssoRequirement(tx, user) : null;
    if (requirement) return refuse('sso_required', { detail: 'Your agency logs in through its identity provider.', ...requirement });
    await useChallenge(tx, id, caller.now);
    return { session: await openSession(deps, tx, caller, user, 'password_mfa') };
  }
  await countWrongCode(tx, id);
  const { partnerId, clientId, userId, email } = challenge;
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor: { kind: 'system' },
    action: 'session.sign_in_failed',
    target: { type: 'user', id: userId, label: email },
    result: 'refused',
    changes: { refusal: [null, 'invalid_mfa_code'] },
    origin: originOf(caller),
  });
  return { wrongCodes: challenge.wrongCodes + 1 };
}

function sessionOf(outcome: Outcome): OpenedSession {
  if (outcome === 'mfa_challenge_expired') return refuse(outcome, { detail: 'Log in again.' });
  if (outcome === 'mfa_attempts_exhausted') return refuse(outcome, { detail: 'Log in again to try another code.' });
  if ('session' in outcome) return outcome.session;
  const attemptsRemaining = Math.max(0, LIMITS.mfaAttempts - outcome.wrongCodes);
  return refuse('invalid_mfa_code', {
    detail: 'The code is not correct. It may have just changed: use the newest one.',
    attemptsRemaining,
  });
}
