import type { RateLimits } from '#platform/http/rate-limit.ts';

export type LoginFailureLimit = 'loginFailure' | 'loginFailureOfAddress' | 'loginFailureOfAccount' | 'loginFailureOfDevice';

/** Who enters a password. `deviceId` is null for a browser that is not known for the user. */
export type Guesser = { email: string; address: string; deviceId: string | null };

/**
 * Limits failed passwords: 10 per (e-mail, network address), 100 per network address and 100 per e-mail in 15 minutes. A known device has 10
 * of its own instead, so guesses of strangers cannot lock a user out. Counted before the password is verified, so concurrent attempts cannot
 * slip through; `forgetFailures` gives the counts of a correct one back.
 */
export async function refuseWhenTooMany(limits: RateLimits<LoginFailureLimit>, { email, address, deviceId }: Guesser): Promise<void> {
  if (deviceId !== null) return void (await limits.require('loginFailureOfDevice', deviceId));
  // Narrowest limit first: a refused caller uses none of the shared counts.
  await limits.require('loginFailure', `${email} ${address}`);
  await limits.require('loginFailureOfAddress', address);
  await limits.require('loginFailureOfAccount', email);
}

export async function forgetFailures(limits: RateLimits<LoginFailureLimit>, { email, address, deviceId }: Guesser): Promise<void> {
  if (deviceId !== null) return limits.forget('loginFailureOfDevice', deviceId);
  await Promise.all([
    limits.forget('loginFailure', `${email} ${address}`),
    // Only its own count: a correct sign-in must not clear the failures of someone guessing.
    limits.giveBack('loginFailureOfAddress', address),
    limits.giveBack('loginFailureOfAccount', email),
  ]);
}
