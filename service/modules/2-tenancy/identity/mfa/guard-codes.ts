import type { RateLimits } from '#platform/http/rate-limit.ts';

export type CodeFailureLimit = 'mfaFailure' | 'mfaFailureOfDevice';

/**
 * Limits wrong codes per user over all challenges and sessions; the limit per challenge alone would allow endless new challenges. Counted
 * before the code is verified, so concurrent attempts cannot slip through, and given back unless the code was wrong. A device that is known to
 * have passed the second step counts by itself, so others who know the password cannot lock the user out.
 */
export async function guardCodes<T>(
  limits: RateLimits<CodeFailureLimit>,
  { userId, deviceId }: { userId: string; deviceId: string | null },
  work: () => Promise<T>,
  isWrong: (result: T) => boolean,
): Promise<T> {
  const [name, key] = deviceId === null ? (['mfaFailure', `user:${userId}`] as const) : (['mfaFailureOfDevice', deviceId] as const);
  await limits.require(name, key);
  let isCounted = false;
  try {
    const result = await work();
    isCounted = isWrong(result);
    return result;
  } finally {
    if (!isCounted) await limits.release(name, key);
  }
}
