/**
 * What follows from one try to send a mail. Source: architecture, business retries are data; product.md §9 row 17. Pure.
 *
 * A server that says "not now" is asked again after 1, 5, 30 minutes, 2 and 12 hours. A server that is away spends none
 * of these tries: the mail waits until it is of no use any more. A try whose outcome nobody knows is repeated once.
 */

const MINUTE = 60_000;
/** Waits after the first, second, … refusal for now. */
const LATER_MINUTES = [1, 5, 30, 120, 720] as const;
/** Waits while no server takes part; the last one repeats. */
const AWAY_MINUTES = [1, 2, 5, 10, 15] as const;
/** A claim that has lasted so long was left by a process that died: longer than any try can take. */
export const MAIL_CLAIM_MS = 10 * MINUTE;
const UNKNOWN_MINUTES = 5;

export type MailAttemptOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; answer: string }
  | { kind: 'later'; answer: string }
  | { kind: 'away'; error: string; answer: string | null }
  /** The connection broke after the mail was handed over. */
  | { kind: 'unknown' }
  /** A process died while it was sending, twice. */
  | { kind: 'interrupted' }
  /** The mail is of no use any more: its link is dead. */
  | { kind: 'expired' }
  /** The stored body does not open. */
  | { kind: 'unreadable' }
  /** We failed before anything was handed over. */
  | { kind: 'fault' };

/** Tries so far. `interrupted` counts those whose outcome nobody knows, `awayCount` those in which no server took part. */
export type MailAttempts = { attempts: number; interrupted: number; awayCount: number; bodyUntil: Date };

export type MailState =
  | { status: 'sent'; at: Date }
  | { status: 'failed'; error: string; answer: string | null }
  | { status: 'queued'; dueAt: Date; error: string; answer: string | null; attempts: number; interrupted: number; awayCount: number };

/** The state after a try that ended at `now`. */
export function nextMailState(tries: MailAttempts, outcome: MailAttemptOutcome, now: Date): MailState {
  const failed = (error: string, answer: string | null = null): MailState => ({ status: 'failed', error, answer });
  const again = (minutes: number, error: string, answer: string | null, change: Partial<MailAttempts>): MailState => {
    const { attempts, interrupted, awayCount } = { ...tries, ...change };
    const dueAt = new Date(now.getTime() + minutes * MINUTE);
    return dueAt >= tries.bodyUntil ? failed(error, answer) : { status: 'queued', dueAt, error, answer, attempts, interrupted, awayCount };
  };
  switch (outcome.kind) {
    case 'sent':
      return { status: 'sent', at: now };
    case 'refused':
      return failed('refused', outcome.answer);
    case 'later': {
      const minutes = LATER_MINUTES[tries.attempts];
      return minutes === undefined
        ? failed('attempts_exhausted', outcome.answer)
        : again(minutes, 'refused_for_now', outcome.answer, { attempts: tries.attempts + 1 });
    }
    case 'away': {
      const minutes = AWAY_MINUTES[tries.awayCount] ?? AWAY_MINUTES[AWAY_MINUTES.length - 1] ?? 15;
      return again(minutes, outcome.error, outcome.answer, { awayCount: tries.awayCount + 1 });
    }
    case 'unknown':
      return tries.interrupted > 0
        ? failed('interrupted')
        : again(UNKNOWN_MINUTES, 'interrupted', null, { interrupted: tries.interrupted + 1 });
    case 'fault':
      return again(UNKNOWN_MINUTES, 'fault', null, { awayCount: tries.awayCount + 1 });
    case 'interrupted':
    case 'expired':
    case 'unreadable':
      return failed(outcome.kind);
  }
}
