import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { guardCodes } from '../mfa/guard-codes.ts';
import { type Caller, type OpenedSession, openSession } from './open-session.ts';
import { hashRecoveryCode } from '../mfa/recovery-codes.ts';
import { openTotp } from '../mfa/seal-totp.ts';
import { findUserById, holdUser, type SessionRow } from '../store.ts';
import {
  burnRecoveryCode,
  type ChallengeRow,
  countWrongCode,
  insertChallenge,
  lockChallenge,
  spendStep,
  useChallenge,
} from '../mfa/store-mfa.ts';
import { stepOfCode } from '../mfa/totp.ts';

type Deps = Pick<IdentityDeps, 'db' | 'sessions' | 'limits' | 'ring' | 'ssoRequirement'>;

/** What a right password gets when a code is still due; the token is good for nothing else (specification, MFA challenge). */
export async function openChallenge(deps: Pick<Deps, 'sessions'>, tx: SystemTx, caller: Caller, user: SessionRow) {
  const id = newId();
  const { tempToken, expiresAt } = deps.sessions.issueChallenge({ id, userId: user.id });
  const stands = await insertChallenge(tx, { id, userId: user.id, passwordHash: user.passwordHash, expiresAt });
  if (!stands) return refuse('invalid_credentials', { detail: 'This user was changed while you signed in. Try again.' });
  return { mfaRequired: true as const, tempToken };
}

/** Signs in with the six digits of the authenticator app. A code works once, whichever challenge it is given to. */
export function verifyCode(deps: Deps, caller: Caller, input: { tempToken: string; token: string }): Promise<OpenedSession> {
  return passChallenge(deps, caller, input.tempToken, async (tx, { userId, partnerId, mfa }) => {
    if (!mfa) return false;
    const step = stepOfCode(openTotp(deps.ring, { userId, partnerId }, mfa), input.token, caller.now);
    return step !== null && spendStep(tx, userId, step);
  });
}

/** Signs in with a recovery code, which is burnt by it. */
export function recover(deps: Deps, caller: Caller, input: { tempToken: string; recoveryCode: string }): Promise<OpenedSession> {
  return passChallenge(deps, caller, input.tempToken, async (tx, challenge) => {
    const { userId, partnerId, clientId, email } = challenge;
    if (!(await burnRecoveryCode(tx, userId, hashRecoveryCode(userId, input.recoveryCode), caller.now))) return false;
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
 * The challenge's row is locked while its code is looked at, and a wrong one is counted in the same transaction, which
 * commits: five are five, however many tries come at once and in however many processes.
 */
async function passChallenge(
  deps: Deps,
  caller: Caller,
  tempToken: string,
  prove: (tx: SystemTx, challenge: ChallengeRow) => Promise<boolean>,
): Promise<OpenedSession> {
  const { id, userId } = deps.sessions.readChallenge(tempToken);
  const outcome = await guardCodes(
    deps.limits,
    userId,
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
  await holdUser(tx, claimedUserId);
  const challenge = await lockChallenge(tx, id, caller.now);
  if (challenge && challenge.wrongCodes >= LIMITS.mfaAttempts) return 'mfa_attempts_exhausted';
  if (!challenge?.stands) return 'mfa_challenge_expired';
  if (await prove(tx, challenge)) {
    const user = await findUserById(tx, challenge.userId);
    if (!user) return 'mfa_challenge_expired';
    // The agency may have decided so since the password was given.
    const elsewhere = user.status === 'active' ? await deps.ssoRequirement(tx, user) : null;
    if (elsewhere) return refuse('sso_required', { detail: 'Your agency signs in through its identity provider.', ...elsewhere });
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
  if (outcome === 'mfa_challenge_expired') return refuse(outcome, { detail: 'Log in again to get a new one.' });
  if (outcome === 'mfa_attempts_exhausted') return refuse(outcome, { detail: 'Log in again to get new tries.' });
  if ('session' in outcome) return outcome.session;
  const attemptsRemaining = Math.max(0, LIMITS.mfaAttempts - outcome.wrongCodes);
  return refuse('invalid_mfa_code', { detail: 'The code was not right. It may have just changed: use the newest one.', attemptsRemaining });
}
