import type { UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';
import type { Span, UsageGroup } from './usage-search.ts';

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
    // Rows of another grouping or client would stand under headings that are not theirs.
    placeholderData: (before, last) => (last?.queryKey[1] === groupBy && last.queryKey[3] === clientId ? before : undefined),
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
