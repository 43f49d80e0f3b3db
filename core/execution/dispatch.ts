/** How the engine's webhook responded. `ambiguous`: sent without a response, so the flow may be running. */
export type DispatchOutcome = 'accepted' | 'refused' | 'not_found' | 'unreachable' | 'ambiguous';

export type DispatchStep = { next: 'done' } | { next: 'again'; waitMs: number; missed: boolean } | { next: 'fail'; message: string };

const MISSES_MAX = 6;

const MISS_WAIT_MS = 1_000;

const BACKOFF_MS_MAX = 30_000;

/**
 * Decides what follows a dispatch attempt. While the engine is unreachable the execution is retried until its own timeout.
 * `not_found` is final only after several misses, because republishing hides a flow for a moment.
 * An ambiguous outcome is never retried: a second text message is worse than a late one.
 */
export function afterDispatch(answer: DispatchOutcome, past: { attempts: number; misses: number }): DispatchStep {
  switch (answer) {
    case 'accepted':
    case 'ambiguous':
      return { next: 'done' };
    case 'unreachable':
      return { next: 'again', waitMs: Math.min(500 * 2 ** Math.min(Math.max(0, past.attempts - 1), 10), BACKOFF_MS_MAX), missed: false };
    case 'not_found':
      if (past.misses < MISSES_MAX) return { next: 'again', waitMs: MISS_WAIT_MS, missed: true };
      return { next: 'fail', message: 'The automation platform does not know this agent. Ask your platform team to set it up again.' };
    case 'refused':
      return { next: 'fail', message: 'The automation platform did not accept this event.' };
  }
}
