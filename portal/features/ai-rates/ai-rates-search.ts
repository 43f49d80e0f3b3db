import { newOrId, oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';
import { spanChoices } from '../../shared/spans.ts';

const SPANS = ['7d', '30d', '90d'] as const;
export type MarginSpan = (typeof SPANS)[number];

export const SPAN_OPTIONS = spanChoices(...SPANS);

/** `rate` is the open version's id, or "new". */
export const parseAiRatesSearch = searchParser({ rate: newOrId, span: oneOf(SPANS) });
export type AiRatesSearch = SearchOf<typeof parseAiRatesSearch>;

/** Returns the days of a span as "YYYY-MM-DD" in UTC, today last. */
export function daysOf(span: MarginSpan, now: Date): string[] {
  const count = Number.parseInt(span, 10);
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  return Array.from({ length: count }, (_, at) => new Date(today - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}

/** The first day of the span that is shown, which is thirty days unless the address names another. */
export function firstDayOf(span: MarginSpan = '30d'): string {
  return daysOf(span, new Date())[0] ?? '';
}
