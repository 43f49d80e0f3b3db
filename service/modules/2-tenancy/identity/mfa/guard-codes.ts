import type { RateLimits } from '#platform/http/rate-limit.ts';

export type CodeFailureLimit = 'mfaFailure';

/**
 * Limits wrong codes per user over all challenges and sessions; the limit per challenge alone would allow endless new challenges. Counted
 * before the code is verified, so concurrent attempts cannot slip through, and given back unless the code was wrong.
 */
export async function guardCodes<T>(
  limits: RateLimits<CodeFailureLimit>,
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
