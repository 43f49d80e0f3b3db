import { type AttemptError, type DeliveryReason, LIMITS } from '@partner-portal/contract/vocabulary.ts';

/**
 * State machine of deliveries. See docs/behaviour/webhooks.md.
 *
 *   (new) → pending → delivered on the first status 2xx, also when the rest of the response breaks
 *           pending → pending after a failed attempt, retried after 5, 10, 20, 40 s
 *           pending → failed after the fifth (attempts_exhausted), at once on a refused address (private_address), and
 *                     when its endpoint is deactivated or removed (endpoint_inactive)
 *   (new) → failed when the endpoint is inactive from the start
 *
 */

/** A response whose status arrived and whose rest did not. */
export type BodyError = Extract<AttemptError, 'connection_failed' | 'timeout' | 'broken_answer'>;

/** Result of one attempt. `interrupted`: our process crashed, so it is unknown whether the event arrived. */
export type AttemptOutcome =
  /** `bodyError`: what was wrong with the response after its status. */
  | { kind: 'answer'; status: number; bodyError?: BodyError }
  | { kind: 'no_answer'; error: Exclude<AttemptError, 'status' | 'redirect' | 'interrupted'> }
  | { kind: 'interrupted' };

/** Earlier attempts: those that count, and those interrupted by a crash of ours. */
export type DeliveryPast = { attemptCount: number; interruptedCount: number };

export type DeliveryStep = {
  /** Stored with the attempt. With `delivered` it says what was wrong with the rest of the response; null when nothing was. */
  error: AttemptError | null;
  /** Whether the attempt counts towards the maximum. */
  counts: boolean;
} & ({ next: 'delivered' } | { next: 'again'; waitMs: number } | { next: 'failed'; reason: DeliveryReason });

const FIRST_WAIT_MS = 5_000;
/**
 * Interrupted attempts that do not count. The first is retried at once; later ones back off like failures, so that a crash loop does
 * not retry the same deliveries each time. The limit stops a delivery that itself crashes the process.
 */
export const UNCOUNTED_INTERRUPTIONS_MAX = 3;

/** Decides what follows an attempt. */
export function afterAttempt(outcome: AttemptOutcome, past: DeliveryPast): DeliveryStep {
  switch (outcome.kind) {
    case 'answer':
      // The receiver has the event: another attempt would deliver it twice.
      if (outcome.status >= 200 && outcome.status < 300) return { error: outcome.bodyError ?? null, counts: true, next: 'delivered' };
      return afterFailure(errorOf(outcome.status), past);
    case 'no_answer':
      if (outcome.error === 'private_address' || outcome.error === 'bad_address')
        return { error: outcome.error, counts: true, next: 'failed', reason: 'private_address' };
      return afterFailure(outcome.error, past);
    case 'interrupted':
      if (past.interruptedCount < UNCOUNTED_INTERRUPTIONS_MAX)
        return {
          error: 'interrupted',
          counts: false,
          next: 'again',
          waitMs: past.interruptedCount === 0 ? 0 : waitAfterMs(past.interruptedCount),
        };
      return afterFailure('interrupted', past);
  }
}

/** Returns the wait after the n-th counted attempt: 5, 10, 20, 40 s. */
export function waitAfterMs(n: number): number {
  return FIRST_WAIT_MS * 2 ** (n - 1);
}

function afterFailure(error: AttemptError, past: DeliveryPast): DeliveryStep {
  const n = past.attemptCount + 1;
  if (n >= LIMITS.deliveryAttemptsMax) return { error, counts: true, next: 'failed', reason: 'attempts_exhausted' };
  return { error, counts: true, next: 'again', waitMs: waitAfterMs(n) };
}

function errorOf(status: number): AttemptError {
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}
