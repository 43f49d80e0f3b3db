import { queryOptions } from '@tanstack/react-query';
import type { UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type RevenueRow = Reply<'getRevenue'>[number];

/** Overdue invoices of one agency, the longest first. */
/** Invoices and orders of one agency that its page shows at first. */
export const PARTNER_STEP = 10;

export const overdueOfQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.billing.invoices({ partnerId, overdue: true, clock: true }),
    queryFn: async ({ signal }) => {
      const { data } = await api.listInvoices({ query: { partnerId, overdue: 'true', limit: 25 }, signal });
      return data.toSorted((a, b) => b.overdueDays - a.overdueDays);
    },
  });

export type LedgerFilters = { partnerId: string; kind: UsageKind | undefined };

export const partnerLedgerQuery = (filters: LedgerFilters) =>
  pagedQuery(keys.billing.ledger(filters), ({ cursor, signal }) => api.listLedger({ query: { ...filters, cursor }, signal }));

type StaffUsage = { groupBy: 'day' | 'kind' | 'partner'; from: string; partnerId: string | undefined };

export const staffUsageQuery = (query: StaffUsage) =>
  queryOptions({
    queryKey: keys.billing.usage(query.groupBy, query.from, query.partnerId),
    queryFn: ({ signal }) => api.getUsage({ query, signal }),
    // Rows of another grouping or agency would stand under headings that are not theirs.
    placeholderData: (before, last) => (last?.queryKey[2] === query.groupBy && last.queryKey[4] === query.partnerId ? before : undefined),
  });

export const REVENUE_MONTHS = 12;

export const revenueQuery = queryOptions({
  queryKey: keys.billing.revenue,
  queryFn: ({ signal }) => api.getRevenue({ query: { months: REVENUE_MONTHS }, signal }),
});
