/** The time window of a recovery. Fields hold local time, requests ISO time. */

export const SPANS = ['hour', 'day', 'week', 'own'] as const;
export type Span = (typeof SPANS)[number];
export type Window = { span: Span; since: string; until: string };

export const SPAN_LABELS: Record<Span, string> = { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days', own: 'Custom' };
const HOURS: Record<Exclude<Span, 'own'>, number> = { hour: 1, day: 24, week: 168 };

/** Returns the request's window: presets end now, so they omit `until`. Undefined if a field is invalid. */
export function windowOf({ span, since, until }: Window, now: number): { since: string; until?: string } | undefined {
  if (span !== 'own') return { since: new Date(now - HOURS[span] * 3_600_000).toISOString() };
  const [from, to] = [Date.parse(since), until === '' ? undefined : Date.parse(until)];
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  return { since: new Date(from).toISOString(), ...(to === undefined ? {} : { until: new Date(to).toISOString() }) };
}

/** Formats local time for a datetime-local field, to the minute. */
export function fieldTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
