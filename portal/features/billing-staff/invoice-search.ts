import { INVOICE_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { idParam, onlySet, oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';
import type { InvoiceFilters } from '../../queries/invoice-filters.ts';

export const SHOWS = ['overdue', ...INVOICE_STATUSES, 'all'] as const;
const SPANS = ['30d', '90d', '365d'] as const;

/** Filters of the invoices, and the one that is open. Without `show`: what there is to do, overdue first. */
export const parseInvoiceSearch = searchParser({ show: oneOf(SHOWS), time: oneOf(SPANS), partner: idParam, invoice: idParam });
export type InvoiceSearch = SearchOf<typeof parseInvoiceSearch>;

/** Returns the filters of the API. Days begin at midnight, so that the same view keeps the same query for a day. */
export function filtersOf({ show, time, partner }: InvoiceSearch, now: Date = new Date()): InvoiceFilters {
  return onlySet({
    partnerId: partner,
    from: time && new Date(new Date(now).setUTCHours(0, 0, 0, 0) - Number.parseInt(time, 10) * 86_400_000).toISOString(),
    overdue: show === 'overdue' ? true : undefined,
    status: show === 'overdue' || show === 'all' ? undefined : show,
  });
}
