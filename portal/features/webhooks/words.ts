import type { DeliveryStatus } from '@partner-portal/contract/vocabulary.ts';
import { formatDuration, joinWords, plural } from '../../ui/text/format.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import type { Attempt, Delivery, Endpoint } from './queries.ts';

/** How endpoints and deliveries are put in words. Pure. */

/** Without the scheme, as people call an address: `crm.example.com/in/agents`. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

type Standing = { mark: MarkKind; word: string; tone?: 'bad' };

/** How an endpoint stands, in a few words; the time of its last result is told beside it. */
export function standingOf({
  isActive,
  failureStreak,
  lastDelivery,
}: Pick<Endpoint, 'isActive' | 'failureStreak' | 'lastDelivery'>): Standing {
  if (!isActive) return { mark: 'pause', word: 'Paused' };
  if (!lastDelivery) return { mark: 'none', word: 'Nothing sent yet' };
  if (failureStreak > 1) return { mark: 'bad', word: `Failing, ${failureStreak} in a row`, tone: 'bad' };
  if (failureStreak === 1) return { mark: 'bad', word: 'The last delivery failed', tone: 'bad' };
  return lastDelivery.status === 'pending' ? { mark: 'wait', word: 'Sending' } : { mark: 'ok', word: 'Delivered' };
}

/** "98.0%" of what came to an end, or null when nothing did. */
export function successShare(recent: readonly DeliveryStatus[]): string | null {
  const ended = recent.filter((status) => status !== 'pending');
  if (ended.length === 0) return null;
  const share = (ended.filter((status) => status === 'delivered').length / ended.length) * 100;
  return share === 100 || share === 0 ? `${share}%` : `${share.toFixed(1)}%`;
}

export const DELIVERY: Record<DeliveryStatus, { mark: MarkKind; word: string }> = {
  pending: { mark: 'wait', word: 'Pending' },
  delivered: { mark: 'ok', word: 'Delivered' },
  failed: { mark: 'bad', word: 'Failed' },
};

/** Pending while it waits; sending while an attempt is under way. */
export function deliveryMark(delivery: Pick<Delivery, 'status' | 'attempts'>): { mark: MarkKind; word: string } {
  return delivery.status === 'pending' && isUnderWay(delivery.attempts.at(-1))
    ? { mark: 'run', word: 'Sending' }
    : DELIVERY[delivery.status];
}

export function isUnderWay(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && attempt.durationMs === null && attempt.error === null;
}

/** "3 of 5" while it may go on, the number of attempts once it is over; nothing before the first. */
export function triesOf({
  status,
  attempts,
  attemptCount,
  maxAttempts,
}: Pick<Delivery, 'status' | 'attempts' | 'attemptCount' | 'maxAttempts'>): string {
  if (status === 'delivered') return plural(attempts.length, 'try', 'tries');
  if (attempts.length === 0) return '';
  return `${attemptCount} of ${maxAttempts}`;
}

/** "after waits of 5, 10 and 20 s": the pauses between the attempts as they really were, whole seconds. */
export function waitsOf(attempts: readonly Attempt[]): string | null {
  const waits = attempts.slice(1).flatMap((attempt, at) => {
    const before = attempts[at];
    if (!before || before.durationMs === null) return [];
    return [Math.round((Date.parse(attempt.at) - Date.parse(before.at) - before.durationMs) / 1000)];
  });
  const told = waits.filter((seconds) => seconds > 0).map(String);
  if (told.length === 0) return null;
  return `after ${told.length === 1 ? 'a wait' : 'waits'} of ${joinWords(told)} s`;
}

/** "Next try in 13 s", counted down; null when nothing is to come. */
export function nextTry(nextAttemptAt: string | null, now: number): string | null {
  if (nextAttemptAt === null) return null;
  const ms = Date.parse(nextAttemptAt) - now;
  return ms <= 500 ? 'Next try now' : `Next try in ${formatDuration(Math.ceil(ms / 1000) * 1000)}`;
}

/** What a receiver said in a word: its status, or a dash when it said nothing. */
export function answerOf(attempt: Attempt): string {
  return attempt.httpStatus === null ? '–' : String(attempt.httpStatus);
}
