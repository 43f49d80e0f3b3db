import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';

const SPANS = ['7d', '30d', '90d'] as const;
export type MarginSpan = (typeof SPANS)[number];

/** `rate` is the open version's id, or "new". */
export type AiRatesSearch = { rate?: string | undefined; span?: MarginSpan | undefined };

export const SPAN_OPTIONS = [
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
] as const;

export function parseAiRatesSearch(search: Record<string, unknown>): AiRatesSearch {
  return onlySet({ rate: search['rate'] === 'new' ? 'new' : idParam(search['rate']), span: choiceParam(SPANS, search['span']) });
}

/** Returns the days of a span as "YYYY-MM-DD" in UTC, today last. */
export function daysOf(span: MarginSpan, now: Date): string[] {
  const count = Number.parseInt(span, 10);
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  return Array.from({ length: count }, (_, at) => new Date(today - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}
