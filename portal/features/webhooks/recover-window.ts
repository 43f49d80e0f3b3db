import { momentOf } from '../../ui/text/format.ts';

/** The time window of a recovery. Fields hold what the clocks of the reader’s time zone show, requests ISO time. */

export const SPANS = ['hour', 'day', 'week', 'own'] as const;
export type Span = (typeof SPANS)[number];
export type Window = { span: Span; since: string; until: string };

export const SPAN_LABELS: Record<Span, string> = { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days', own: 'Custom' };
const HOURS: Record<Exclude<Span, 'own'>, number> = { hour: 1, day: 24, week: 168 };

/** Returns the request's window: presets end now, so they omit `until`. Undefined if a field is invalid. */
export function windowOf({ span, since, until }: Window, now: number): { since: string; until?: string } | undefined {
  if (span !== 'own') return { since: new Date(now - HOURS[span] * 3_600_000).toISOString() };
  const from = isoOf(since);
  const to = until === '' ? undefined : isoOf(until);
  if (from === undefined || (until !== '' && to === undefined)) return undefined;
  return { since: from, ...(to === undefined ? {} : { until: to }) };
}

/** The moment that a datetime-local field names; undefined for half a time. */
function isoOf(field: string): string | undefined {
  const asUtc = Date.parse(`${field}Z`);
  return Number.isNaN(asUtc) ? undefined : new Date(momentOf(asUtc)).toISOString();
}
