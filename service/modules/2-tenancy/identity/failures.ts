import { createHash } from 'node:crypto';
import { bitsAfter, hasZeroBits, workText } from '@partner-portal/core/people/proof-of-work.ts';
import { networkOf } from '#platform/http/network.ts';
import { rateRefusal, type RateLimits } from '#platform/http/rate-limit.ts';
import type { Sessions } from '#platform/http/session.ts';
import { AppError } from '#platform/refuse.ts';

export type LoginFailureLimit =
  | 'loginFailure'
  | 'loginFailureOfAddress'
  | 'loginFailureOfAccount'
  | 'loginFailureOfDevice'
  | 'loginProof'
  | 'loginProofOfAccount'
  | 'loginProofUse';

/** The person who enters a password. `deviceId` is that of a browser known for the user, or the id of a session of the user; null for anyone else. */
export type Guesser = { email: string; address: string; deviceId: string | null; proofOfWork?: ProofOfWork | undefined };
export type ProofOfWork = { challenge: string; solution: string };

type Deps = { limits: RateLimits<LoginFailureLimit>; sessions: Sessions };

/**
 * Limits failed passwords in 15 minutes: 10 per (e-mail, network address), 100 per network address and 100 per e-mail. The first 40 per e-mail need nothing,
 * the other 60 a proof of work, two of them from one network: strangers at ten addresses cannot use them up, so the right password gets in. A known device has 10
 * of its own instead. Attempts are counted before the password is verified, so concurrent attempts cannot slip through. Returns a function that releases the counts after a correct password.
 */
export async function countAttempt({ limits, sessions }: Deps, guesser: Guesser): Promise<() => Promise<void>> {
  const { email, address, deviceId } = guesser;
  if (deviceId !== null) {
    await limits.require('loginFailureOfDevice', deviceId);
    return () => limits.forget('loginFailureOfDevice', deviceId);
  }
  const own = `${email} ${address}`;
  // Narrowest limit first: a refused caller uses none of the shared counts.
  await limits.require('loginFailure', own);
  await limits.require('loginFailureOfAddress', address);
  // Only its own count: a correct sign-in must not clear the failures of someone guessing.
  const releaseCounts = async (limit: 'loginFailureOfAccount' | 'loginProofOfAccount'): Promise<void> => {
    await Promise.all([limits.forget('loginFailure', own), limits.release('loginFailureOfAddress', address), limits.release(limit, email)]);
  };
  if (await isProven({ limits, sessions }, guesser)) {
    await limits.require('loginProof', own);
    await limits.require('loginProofOfAccount', email);
    return async () => {
      await releaseCounts('loginProofOfAccount');
      await limits.forget('loginProof', own);
    };
  }
  const account = await limits.count('loginFailureOfAccount', email);
  if (!account.exceeded) return () => releaseCounts('loginFailureOfAccount');
  // No password was looked at.
  await Promise.all([limits.release('loginFailure', own), limits.release('loginFailureOfAddress', address)]);
  const [network, proofs] = await Promise.all([limits.peek('loginProof', own), limits.peek('loginProofOfAccount', email)]);
  if (network.remaining === 0 || proofs.remaining === 0) throw rateRefusal(account);
  const bits = bitsAfter(proofs.limit - proofs.remaining);
  const { code, extras } = rateRefusal(account);
  throw new AppError(code, { ...extras, proofOfWork: { challenge: sessions.issueWork({ subject: subjectOf(guesser), bits }), bits } });
}

/** Whether the attempt comes with a solved challenge that was made for this e-mail and network. Each challenge counts once. */
async function isProven({ limits, sessions }: Deps, guesser: Guesser): Promise<boolean> {
  if (!guesser.proofOfWork) return false;
  const { challenge, solution } = guesser.proofOfWork;
  const work = sessions.readWork(challenge);
  if (work?.subject !== subjectOf(guesser)) return false;
  if (!hasZeroBits(createHash('sha256').update(workText(challenge, solution)).digest(), work.bits)) return false;
  return !(await limits.count('loginProofUse', work.id)).exceeded;
}

function subjectOf({ email, address }: Guesser): string {
  return createHash('sha256')
    .update(`${email} ${networkOf(address)}`)
    .digest('base64url');
}
