import type { RateLimits } from '#platform/http/rate-limit.ts';

/**
 * Counts wrong codes per user, over all challenges and sessions: five per challenge alone would let somebody who has the
 * password begin again and again. Counted before the code is looked at, so that many at once cannot slip through, and
 * given back unless it was a wrong one.
 */
export async function guardCodes<T>(
  limits: RateLimits,
  userId: string,
  work: () => Promise<T>,
  isWrong: (result: T) => boolean,
): Promise<T> {
  const key = `user:${userId}`;
  await limits.require('mfaFailure', key);
  let isCounted = false;
  try {
    const result = await work();
    isCounted = isWrong(result);
    return result;
  } finally {
    if (!isCounted) await limits.giveBack('mfaFailure', key);
  }
}
