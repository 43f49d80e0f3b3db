import { AppError } from '../refuse.ts';

/** The bytes of one body while it arrives. */
export type BodyShare = {
  /** Counts further bytes. Refuses `rate_limited` beyond what one sender may have in flight, `service_unavailable` beyond what all may. */
  take(bytes: number): void;
  /** Gives everything back. */
  release(): void;
};
export type BodyBudget = {
  /** `key` is the tenant or network address that sends the body. */
  share(key: string): BodyShare;
};

const MIB = 1024 * 1024;
export const BODY_BUDGET = { totalMax: 64 * MIB, perSenderMax: 16 * MIB };

/** Bounds the memory of bodies that are still arriving, and shares it between senders: slow ones of one cannot use up that of others. */
export function createBodyBudget({ totalMax, perSenderMax }: { totalMax: number; perSenderMax: number } = BODY_BUDGET): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const add = (key: string, bytes: number): void => {
    total += bytes;
    const left = (held.get(key) ?? 0) + bytes;
    if (left === 0) held.delete(key);
    else held.set(key, left);
  };
  return {
    share(key) {
      let own = 0;
      return {
        take(bytes) {
          if ((held.get(key) ?? 0) + bytes > perSenderMax)
            throw new AppError('rate_limited', {
              detail: 'Too many large request bodies are being received at once.',
              retryAfterSeconds: 2,
            });
          if (total + bytes > totalMax)
            throw new AppError('service_unavailable', { detail: 'Please try again in a moment.', retryAfterSeconds: 2 });
          own += bytes;
          add(key, bytes);
        },
        release() {
          if (own > 0) add(key, -own);
          own = 0;
        },
      };
    },
  };
}
