import type { RateLimits } from '#platform/http/rate-limit.ts';

/**
 * Failed proofs of a password, wherever one is asked for: 10 per (e-mail, network address), 100 per network address and 100 per
 * e-mail from anywhere in 15 minutes (product.md §5.1). Counted before the password is looked at, so that many tries at once
 * cannot slip through together; a right one takes its own counts back with `forgetFailures`.
 */
export async function refuseWhenTooMany(limits: RateLimits, email: string, address: string): Promise<void> {
  // The narrowest first: whoever is refused by it uses up nothing of what others share with them.
  await limits.require('loginFailure', `${email} ${address}`);
  await limits.require('loginFailureOfAddress', address);
  await limits.require('loginFailureOfAccount', email);
}

export async function forgetFailures(limits: RateLimits, email: string, address: string): Promise<void> {
  await Promise.all([
    limits.forget('loginFailure', `${email} ${address}`),
    // Their own count only: one good sign-in must not give somebody who guesses another hundred.
    limits.giveBack('loginFailureOfAddress', address),
    limits.giveBack('loginFailureOfAccount', email),
  ]);
}
