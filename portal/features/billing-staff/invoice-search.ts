import { INVOICE_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';
import type { InvoiceFilters } from '../../queries/invoice-filters.ts';

export const SHOWS = ['overdue', ...INVOICE_STATUSES, 'all'] as const;
const SPANS = ['30d', '90d', '365d'] as const;

/** Filters of the invoices, and the one that is open. Without `show`: what there is to do, overdue first. */
export type InvoiceSearch = {
  show?: (typeof SHOWS)[number] | undefined;
  time?: (typeof SPANS)[number] | undefined;
  partner?: string | undefined;
  invoice?: string | undefined;
};

export function parseInvoiceSearch(search: Record<string, unknown>): InvoiceSearch {
  return onlySet({
    show: choiceParam(SHOWS, search['show']),
    time: choiceParam(SPANS, search['time']),
    partner: idParam(search['partner']),
    invoice: idParam(search['invoice']),
  });
}

/** Returns the filters of the API. Days begin at midnight, so that the same view keeps the same query for a day. */
export function filtersOf({ show, time, partner }: InvoiceSearch, now: Date = new Date()): InvoiceFilters {
  return onlySet({
    partnerId: partner,
    from: time && new Date(new Date(now).setUTCHours(0, 0, 0, 0) - Number.parseInt(time, 10) * 86_400_000).toISOString(),
    overdue: show === 'overdue' ? true : undefined,
    status: show === 'overdue' || show === 'all' ? undefined : show,
  });
}
