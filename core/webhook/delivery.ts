import { type AttemptError, type DeliveryReason, LIMITS } from '@partner-portal/contract/vocabulary.ts';

/**
 * The life of a delivery (specification, Webhook delivery; product.md §4.3):
 *
 *   (new) → pending → delivered on the first 2xx
 *           pending → pending after a failed attempt, due again 5, 10, 20, 40 s later
 *           pending → failed after the fifth (attempts_exhausted), at once on 410 (gone) or an address that must not be called
 *                     (private_address), and when its endpoint is switched off or removed (endpoint_inactive)
 *   (new) → failed when the endpoint is inactive from the start
 *
 * Pure and safe in a browser.
 */

/** What became of one attempt. `interrupted`: our own process died, nobody knows whether it arrived. */
export type AttemptOutcome =
  | { kind: 'answer'; status: number; retryAfter?: string | undefined }
  | { kind: 'no_answer'; error: Exclude<AttemptError, 'status' | 'redirect' | 'interrupted'> }
  | { kind: 'interrupted' };

/** What went before: attempts that count, and those that a crash of ours cut off. */
export type DeliveryPast = { attemptCount: number; interruptedCount: number };

export type DeliveryStep = {
  /** What is written beside the attempt; null for a delivered one. */
  error: AttemptError | null;
  /** Whether the attempt counts towards the five. */
  spent: boolean;
} & ({ next: 'delivered' } | { next: 'again'; waitMs: number } | { next: 'failed'; reason: DeliveryReason });

const FIRST_WAIT_MS = 5_000;
const GONE = 410;
/**
 * How many crashes a delivery is forgiven. The first costs no time; after that it waits like a failed one, so that a process which dies
 * again and again does not try the same few deliveries each time. Without an end, one that brings our process down would do so for ever.
 */
export const INTERRUPTIONS_FORGIVEN = 3;

/** What follows from an attempt. `now` is only asked for a `Retry-After` that names a date. */
export function afterAttempt(outcome: AttemptOutcome, past: DeliveryPast, now: Date): DeliveryStep {
  switch (outcome.kind) {
    case 'answer':
      if (outcome.status >= 200 && outcome.status < 300) return { error: null, spent: true, next: 'delivered' };
      if (outcome.status === GONE) return { error: 'status', spent: true, next: 'failed', reason: 'gone' };
      return afterFailure(errorOf(outcome.status), past, retryAfterMs(outcome.retryAfter, now));
    case 'no_answer':
      if (outcome.error === 'private_address' || outcome.error === 'bad_address')
        return { error: outcome.error, spent: true, next: 'failed', reason: 'private_address' };
      return afterFailure(outcome.error, past, 0);
    case 'interrupted':
      if (past.interruptedCount < INTERRUPTIONS_FORGIVEN)
        return {
          error: 'interrupted',
          spent: false,
          next: 'again',
          waitMs: past.interruptedCount === 0 ? 0 : waitAfterMs(past.interruptedCount),
        };
      return afterFailure('interrupted', past, 0);
  }
}

/** The wait after the n-th counted attempt: 5, 10, 20, 40 s. */
export function waitAfterMs(n: number): number {
  return FIRST_WAIT_MS * 2 ** (n - 1);
}

function afterFailure(error: AttemptError, past: DeliveryPast, askedMs: number): DeliveryStep {
  const n = past.attemptCount + 1;
  if (n >= LIMITS.deliveryAttemptsMax) return { error, spent: true, next: 'failed', reason: 'attempts_exhausted' };
  const wait = waitAfterMs(n);
  return { error, spent: true, next: 'again', waitMs: Math.min(Math.max(wait, askedMs), 2 * wait) };
}

function errorOf(status: number): AttemptError {
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** `Retry-After` in milliseconds, from seconds or an HTTP date; 0 for anything that says neither. */
function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return 0;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
