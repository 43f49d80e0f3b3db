import type { RateLimits } from '#platform/http/rate-limit.ts';

export type LoginFailureLimit = 'loginFailure' | 'loginFailureOfAddress' | 'loginFailureOfAccount';

/**
 * Limits failed passwords: 10 per (e-mail, network address), 100 per network address and 100 per e-mail in 15 minutes. Counted before the
 * password is verified, so concurrent attempts cannot slip through; `forgetFailures` gives the counts of a correct one back.
 */
export async function refuseWhenTooMany(limits: RateLimits<LoginFailureLimit>, email: string, address: string): Promise<void> {
  // Narrowest limit first: a refused caller uses none of the shared counts.
  await limits.require('loginFailure', `${email} ${address}`);
  await limits.require('loginFailureOfAddress', address);
  await limits.require('loginFailureOfAccount', email);
}

export async function forgetFailures(limits: RateLimits<LoginFailureLimit>, email: string, address: string): Promise<void> {
  await Promise.all([
    limits.forget('loginFailure', `${email} ${address}`),
    // Only its own count: a correct sign-in must not clear the failures of someone guessing.
    limits.giveBack('loginFailureOfAddress', address),
    limits.giveBack('loginFailureOfAccount', email),
  ]);
}
