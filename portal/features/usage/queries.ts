import type { UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { usageSince } from '@partner-portal/core/quota/breakdown.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { quotaQuery } from '../../queries/agency.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';
import type { UsageRow } from '../../shared/usage-columns.tsx';
import type { MeterRead } from './elsewhere.ts';
import type { Span, UsageGroup } from './usage-search.ts';

const DAYS: Record<Exclude<Span, 'month'>, number> = { '7d': 6, '30d': 29, '90d': 89 };

type Usage = { rows: UsageRow[]; meter: MeterRead | undefined };

/** Where the chosen time begins: with this period of the meter, or at the agency's midnight some days ago. Usage is counted in whole hours. */
export function fromOf(span: Span, periodStart: string, timezone: string): string {
  return span === 'month' ? fromOfPeriod(periodStart) : startOfDay(DAYS[span], undefined, timezone).toISOString();
}

function fromOfPeriod(periodStart: string): string {
  return usageSince(new Date(periodStart)).toISOString();
}

/** The rows, and the meter as it was read with them when they are of its whole period: read at two times, the two add up to nothing. */
export const usageQuery = (groupBy: UsageGroup, from: string | undefined, clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.usage(groupBy, from, clientId),
    queryFn: async ({ signal }): Promise<Usage> => {
      const [rows, quota] = await Promise.all([
        api.getUsage({ query: { groupBy, from, clientId }, signal }),
        clientId === undefined ? queryClient.fetchQuery({ ...quotaQuery, staleTime: 0 }) : undefined,
      ]);
      return { rows, meter: quota && from === fromOfPeriod(quota.periodStart) ? quota : undefined };
    },
    enabled: from !== undefined,
    // Rows of another grouping or client would stand under headings that are not theirs.
    placeholderData: (before, last) => (last?.queryKey[1] === groupBy && last.queryKey[3] === clientId ? before : undefined),
  });

export type LedgerFilters = { clientId: string | undefined; kind: UsageKind | undefined; from: string | undefined };

export const ledgerQuery = (filters: LedgerFilters) =>
  pagedQuery(keys.ledger(filters), ({ cursor, signal }) => api.listLedger({ query: { ...filters, cursor }, signal }), {
    enabled: filters.from !== undefined,
  });
