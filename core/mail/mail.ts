/**
 * Decides what follows an attempt to send a mail. See docs/behaviour/mail.md.
 *
 * A temporary refusal is retried after 1, 5 and 30 minutes, 2 and 12 hours. An unreachable server uses none of these retries: the
 * mail waits until it expires. An attempt with an unknown outcome is retried once.
 */

const MINUTE = 60_000;
/** Waits after the first, second, … temporary refusal. */
const LATER_MINUTES = [1, 5, 30, 120, 720] as const;
export const MAIL_ATTEMPTS_MAX = LATER_MINUTES.length + 1;
/** Waits while the server is unreachable; the last one repeats. */
const AWAY_MINUTES = [1, 2, 5, 10, 15] as const;
/** Age at which a claim counts as abandoned by a crashed process: longer than any attempt can take. */
export const MAIL_CLAIM_MS = 10 * MINUTE;
const UNKNOWN_MINUTES = 5;

export type MailAttemptOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; answer: string }
  | { kind: 'later'; answer: string }
  | { kind: 'away'; error: string; answer: string | null }
  /** The connection broke after the mail was handed over. */
  | { kind: 'unknown' }
  /** The process crashed while sending, twice. */
  | { kind: 'interrupted' }
  /** The link in the mail is no longer valid. */
  | { kind: 'expired' }
  /** The stored body cannot be opened. */
  | { kind: 'unreadable' }
  /** An internal error before the mail was handed over. */
  | { kind: 'fault' };

/** Attempts so far. `interrupted` counts those with an unknown outcome, `awayCount` those with an unreachable server. */
export type MailAttempts = { attempts: number; interrupted: number; awayCount: number; bodyUntil: Date };

export type MailState =
  | { status: 'sent'; at: Date }
  | { status: 'failed'; error: string; answer: string | null }
  | { status: 'queued'; dueAt: Date; error: string; answer: string | null; attempts: number; interrupted: number; awayCount: number };

/** Returns the mail's state after an attempt that ended at `now`. */
export function nextMailState(past: MailAttempts, outcome: MailAttemptOutcome, now: Date): MailState {
  const failed = (error: string, answer: string | null = null): MailState => ({ status: 'failed', error, answer });
  const again = (minutes: number, error: string, answer: string | null, change: Partial<MailAttempts>): MailState => {
    const { attempts, interrupted, awayCount } = { ...past, ...change };
    const dueAt = new Date(now.getTime() + minutes * MINUTE);
    return dueAt >= past.bodyUntil ? failed(error, answer) : { status: 'queued', dueAt, error, answer, attempts, interrupted, awayCount };
  };
  switch (outcome.kind) {
    case 'sent':
      return { status: 'sent', at: now };
    case 'refused':
      return failed('refused', outcome.answer);
    case 'later': {
      const minutes = LATER_MINUTES[past.attempts];
      return minutes === undefined
        ? failed('attempts_exhausted', outcome.answer)
        : again(minutes, 'refused_for_now', outcome.answer, { attempts: past.attempts + 1 });
    }
    case 'away': {
      const minutes = AWAY_MINUTES[past.awayCount] ?? AWAY_MINUTES[AWAY_MINUTES.length - 1] ?? 15;
      return again(minutes, outcome.error, outcome.answer, { awayCount: past.awayCount + 1 });
    }
    case 'unknown':
      return past.interrupted > 0
        ? failed('interrupted')
        : again(UNKNOWN_MINUTES, 'interrupted', null, { interrupted: past.interrupted + 1 });
    case 'fault':
      return again(UNKNOWN_MINUTES, 'fault', null, { awayCount: past.awayCount + 1 });
    case 'interrupted':
    case 'expired':
    case 'unreadable':
      return failed(outcome.kind);
  }
}
