import { usageOrder } from '../../shared/usage-orders.ts';
import { idParam, oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';
import { spanChoices } from '../../shared/spans.ts';

const SPANS = ['7d', '30d', '90d'] as const;
export type UsageSpan = (typeof SPANS)[number];

export const SPAN_OPTIONS = spanChoices(...SPANS);

const currencyParam = (value: unknown): string | undefined => (typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined);

/** Filters of staff's usage page; `currency` chooses one for the revenue, `sort` is the order of the agencies. */
export const parseStaffUsageSearch = searchParser({ span: oneOf(SPANS), partner: idParam, currency: currencyParam, sort: usageOrder });
export type StaffUsageSearch = SearchOf<typeof parseStaffUsageSearch>;

/** Returns the days of a span as "YYYY-MM-DD", today last. */
export function daysOf(span: UsageSpan, now: Date): string[] {
  const count = Number.parseInt(span, 10);
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  return Array.from({ length: count }, (_, at) => new Date(today - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}

/** Returns the last months as "YYYY-MM", this one last. */
export function monthsOf(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - at), 1)).toISOString().slice(0, 7),
  );
}
