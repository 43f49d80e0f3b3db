import { USAGE_KINDS, type UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { choiceParam, onlySet } from '../../app/search-params.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';

export const SPANS = ['month', '7d', '30d', '90d'] as const;
export type Span = (typeof SPANS)[number];
export const GROUPS = ['day', 'client', 'agent'] as const;
export type UsageGroup = (typeof GROUPS)[number];
export type UsageSearch = { span?: Span | undefined; by?: UsageGroup | undefined; kind?: UsageKind | undefined };

export function parseUsageSearch(search: Record<string, unknown>): UsageSearch {
  return onlySet({
    span: choiceParam(SPANS, search.span),
    by: choiceParam(GROUPS, search.by),
    kind: choiceParam(USAGE_KINDS, search.kind),
  });
}

const DAYS: Record<Exclude<Span, 'month'>, number> = { '7d': 6, '30d': 29, '90d': 89 };

/** Where the chosen time begins: the day this period of the meter began, or some days ago; always at midnight, since usage is counted in whole hours. */
export function fromOf(span: Span, periodStart: string): string {
  return (span === 'month' ? startOfDay(0, new Date(periodStart)) : startOfDay(DAYS[span])).toISOString();
}

export const usageQuery = (groupBy: UsageGroup, from: string | undefined, clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.usage(groupBy, from, clientId),
    queryFn: ({ signal }) => api.getUsage({ query: { groupBy, from, clientId }, signal }),
    enabled: from !== undefined,
    placeholderData: (before) => before,
  });

export type LedgerFilters = { clientId: string | undefined; kind: UsageKind | undefined; from: string | undefined };

export const ledgerQuery = (filters: LedgerFilters) =>
  infiniteQueryOptions({
    queryKey: keys.ledger(filters),
    queryFn: ({ pageParam, signal }) => api.listLedger({ query: { ...filters, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    enabled: filters.from !== undefined,
  });
