import type { InvoiceStatus } from '@partner-portal/contract/vocabulary.ts';

export type InvoiceFilters = {
  partnerId?: string | undefined;
  status?: InvoiceStatus | undefined;
  overdue?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit?: number | undefined;
};

/** The query string of a list of invoices; also for its CSV. */
export const invoiceListQuery = ({ overdue, ...filters }: InvoiceFilters) => ({
  ...filters,
  ...(overdue ? { overdue: 'true' as const } : {}),
});
