/**
 * How the engine's webhook responded.
 *
 * - `accepted`: it stored the event and will run the flow.
 * - `not_found`: the flow is not switched on at the moment; a republish shows the same for a moment.
 * - `gone`: the flow was deleted.
 * - `refused`: it will never accept this (the body is too large).
 * - `unreachable`: nothing arrived, or it stored nothing; safe to send again.
 * - `ambiguous`: it may have stored the event. The external engine knows no idempotency key, so it is looked up before it is sent again.
 */
export type DispatchOutcome = 'accepted' | 'refused' | 'not_found' | 'gone' | 'unreachable' | 'ambiguous';

/** Why the engine runs none of an agent's events, for its agency. */
export const ENGINE_REFUSALS = {
  not_found: 'The automation platform does not run this agent at the moment. Ask your platform team to repair it.',
  gone: 'The automation platform no longer has this agent. Ask your platform team to set it up again.',
  refused: 'The automation platform did not accept this event.',
} as const;

/** `ask`: the engine is asked after `waitMs` whether it has stored the execution. */
export type DispatchStep =
  | { next: 'done' }
  | { next: 'again'; waitMs: number; missed: boolean }
  | { next: 'ask'; waitMs: number }
  | { next: 'fail'; message: string };

const MISSES_MAX = 6;

const MISS_WAIT_MS = 1_000;

const BACKOFF_MS_MAX = 30_000;

const ASK_MS = 500;

const PROBE_MS = 1_000;

/**
 * Decides what follows a dispatch attempt. While the engine is unreachable the execution is retried until its own timeout.
 * `not_found` and `gone` are final only after several misses, because republishing hides a flow for a moment. They do not count while the agency is being set up
 * (`isBeingSetUp`): its agents have other flows when that is done.
 * After an ambiguous outcome the engine is asked before anything is sent again: a second text message is worse than a late one.
 */
export function afterDispatch(answer: DispatchOutcome, past: { attempts: number; misses: number; isBeingSetUp: boolean }): DispatchStep {
  switch (answer) {
    case 'accepted':
      return { next: 'done' };
    case 'ambiguous':
      return { next: 'ask', waitMs: ASK_MS };
    case 'unreachable':
      return { next: 'again', waitMs: Math.min(500 * 2 ** Math.min(Math.max(0, past.attempts - 1), 10), BACKOFF_MS_MAX), missed: false };
    case 'not_found':
    case 'gone':
      if (past.isBeingSetUp || past.misses < MISSES_MAX) return { next: 'again', waitMs: MISS_WAIT_MS, missed: !past.isBeingSetUp };
      return { next: 'fail', message: ENGINE_REFUSALS[answer] };
    case 'refused':
      return { next: 'fail', message: ENGINE_REFUSALS.refused };
  }
}

/** The engine's answer about an execution it may have: its run, certainly none, or not known yet. */
export type Lookup = 'found' | 'none' | 'unseen' | 'unanswered';

/**
 * Decides what follows a lookup, `sinceMs` after the dispatch was sent. `unseen` (the engine may still store it) is asked again, less and less
 * often; an engine that does not answer is asked again soon, because runs are to go on as soon as it is back.
 */
export function afterLookup(found: Lookup, sinceMs: number): Exclude<DispatchStep, { next: 'fail' }> {
  switch (found) {
    case 'found':
      return { next: 'done' };
    case 'none':
      return { next: 'again', waitMs: 0, missed: false };
    case 'unseen':
      return { next: 'ask', waitMs: Math.min(Math.max(1_000, Math.floor(sinceMs / 4)), BACKOFF_MS_MAX) };
    case 'unanswered':
      return { next: 'ask', waitMs: ASK_MS };
  }
}

/**
 * Returns how long (ms) the next round of lookups waits; null for the regular interval. A round takes only a share of each partner, so a round with
 * progress is followed at once; a round without progress would only repeat itself.
 */
export function afterRecovery(
  { done, again, asked }: { done: number; again: number; asked: number },
  isEngineDown: boolean,
): number | null {
  if (done + again > 0) return 0;
  if (asked > 0) return ASK_MS;
  return isEngineDown ? PROBE_MS : null;
}
