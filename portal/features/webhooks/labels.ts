import type { DeliveryStatus } from '@partner-portal/contract/vocabulary.ts';
import { formatDuration, joinWords, plural } from '../../ui/text/format.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import type { Attempt, Delivery, Endpoint } from './queries.ts';

/** Texts for endpoints and deliveries. */

/** Returns the URL without scheme and trailing slash: `crm.example.com/in/agents`. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

type Standing = { mark: MarkKind; word: string; tone?: 'bad' };

/** Returns the status of an endpoint as mark and label. */
export function endpointStatus({
  isActive,
  failureStreak,
  lastDelivery,
}: Pick<Endpoint, 'isActive' | 'failureStreak' | 'lastDelivery'>): Standing {
  if (!isActive) return { mark: 'pause', word: 'Paused' };
  if (!lastDelivery) return { mark: 'none', word: 'No deliveries yet' };
  if (failureStreak > 1) return { mark: 'bad', word: `Failing, ${failureStreak} in a row`, tone: 'bad' };
  if (failureStreak === 1) return { mark: 'bad', word: 'Last delivery failed', tone: 'bad' };
  return lastDelivery.status === 'pending' ? { mark: 'wait', word: 'Sending' } : { mark: 'ok', word: 'Delivered' };
}

/** Returns the success rate of finished deliveries ("98.0%"), or null if there are none. */
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

/** Returns the status label: "Sending" during an attempt. */
export function deliveryMark(delivery: Pick<Delivery, 'status' | 'attempts'>): { mark: MarkKind; word: string } {
  return delivery.status === 'pending' && isInProgress(delivery.attempts.at(-1))
    ? { mark: 'run', word: 'Sending' }
    : DELIVERY[delivery.status];
}

export function isInProgress(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && attempt.durationMs === null && attempt.error === null;
}

/** Returns "3 of 5" until the delivery succeeds, then the number of attempts; nothing before the first. */
export function attemptsText({
  status,
  attempts,
  attemptCount,
  maxAttempts,
}: Pick<Delivery, 'status' | 'attempts' | 'attemptCount' | 'maxAttempts'>): string {
  if (status === 'delivered') return plural(attempts.length, 'try', 'tries');
  if (attempts.length === 0) return '';
  return `${attemptCount} of ${maxAttempts}`;
}

/** Returns "after waits of 5, 10 and 20 s": the actual waits between attempts. */
export function waitsText(attempts: readonly Attempt[]): string | null {
  const waits = attempts.slice(1).flatMap((attempt, at) => {
    const before = attempts[at];
    if (!before || before.durationMs === null) return [];
    return [Math.round((Date.parse(attempt.at) - Date.parse(before.at) - before.durationMs) / 1000)];
  });
  const shown = waits.filter((seconds) => seconds > 0).map(String);
  if (shown.length === 0) return null;
  return `after ${shown.length === 1 ? 'a wait' : 'waits'} of ${joinWords(shown)} s`;
}

/** Returns the countdown to the next attempt, or null. */
export function nextAttemptText(nextAttemptAt: string | null, now: number): string | null {
  if (nextAttemptAt === null) return null;
  const ms = Date.parse(nextAttemptAt) - now;
  return ms <= 500 ? 'Next try now' : `Next try in ${formatDuration(Math.ceil(ms / 1000) * 1000)}`;
}

/** Returns the HTTP status, or a dash without a response. */
export function responseText(attempt: Attempt): string {
  return attempt.httpStatus === null ? '–' : String(attempt.httpStatus);
}

/** Returns what was sent in the attempts of these deliveries. */
export function sentOf(deliveries: readonly Pick<Delivery, 'requestBody' | 'attempts'>[]): { body: string; header: string }[] {
  return deliveries.flatMap(({ requestBody, attempts }) =>
    attempts.toReversed().flatMap(({ signature }) => (signature === null ? [] : [{ body: requestBody, header: signature }])),
  );
}

/** Returns "3 event types" for an endpoint that is not sent all; null for one that is. */
export function eventsText({ events }: Pick<Endpoint, 'events'>): string | null {
  return events.length === 0 ? null : plural(events.length, 'event type');
}

/** What happens to events while an endpoint is paused (WH-6). */
export const PAUSED_EVENTS = 'New events are saved but not sent. Recover them after turning it on.';
