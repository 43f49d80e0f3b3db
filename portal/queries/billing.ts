import { queryOptions } from '@tanstack/react-query';
import type { Routes } from '@partner-portal/contract';
import type { QueryInputOf } from '@partner-portal/contract/define-route.ts';
import type { OrderKind } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { type InvoiceFilters, invoiceListQuery } from './invoice-filters.ts';
import { keys } from './keys.ts';

export type Billing = Reply<'getBilling'>;
export type Subscription = Billing['subscription'];
export type Invoice = Reply<'listInvoices'>['data'][number];
export type InvoiceDetail = Reply<'getInvoice'>;
export type InvoiceLine = InvoiceDetail['lines'][number];
export type Order = Reply<'listOrders'>['data'][number];
export type PlanChange = Reply<'previewPlanChange'>;

/** Terms, seats, credits and the next invoice of an agency: the own one, or for staff the one named. */
export const billingQuery = (partnerId?: string) =>
  queryOptions({
    queryKey: keys.billing.of(partnerId),
    queryFn: ({ signal }) => api.getBilling({ query: { partnerId }, signal }),
  });

/** A change to preview. Everything but the plan is an override, which only staff may name; absent ones are the plan's. */
export type TermsChange = Omit<QueryInputOf<Routes['previewPlanChange']>, 'partnerId'>;

export const planChangeQuery = (partnerId: string | undefined, change: TermsChange) =>
  queryOptions({
    queryKey: keys.billing.planChange(partnerId, change),
    queryFn: ({ signal }) => api.previewPlanChange({ query: { ...change, partnerId }, signal }),
    staleTime: 0,
    retry: false,
  });

export const invoicesQuery = (filters: InvoiceFilters) =>
  pagedQuery(keys.billing.invoices(filters), ({ cursor, signal }) =>
    api.listInvoices({ query: { ...invoiceListQuery(filters), cursor }, signal }),
  );

export const invoiceQuery = (id: string) =>
  queryOptions({ queryKey: keys.billing.invoice(id), queryFn: ({ signal }) => api.getInvoice({ params: { id }, signal }) });

export type OrderFilters = { partnerId?: string | undefined; kind?: OrderKind | undefined; limit?: number | undefined };

export const ordersQuery = (filters: OrderFilters) =>
  pagedQuery(keys.billing.orders(filters), ({ cursor, signal }) => api.listOrders({ query: { ...filters, cursor }, signal }));

const OVERDUE_MAX = 100;

/** Overdue invoices of all agencies, for staff: how many (at most a hundred are counted), and of how many agencies. */
export const overdueQuery = queryOptions({
  queryKey: keys.billing.overdue,
  queryFn: async ({ signal }) => {
    const { data, nextCursor } = await api.listInvoices({ query: { overdue: 'true', limit: OVERDUE_MAX }, signal });
    const longest = data.reduce<Invoice | undefined>(
      (found, row) => (found && found.overdueDays >= row.overdueDays ? found : row),
      undefined,
    );
    return { count: data.length, isMore: nextCursor !== null, agencies: new Set(data.map(({ partnerId }) => partnerId)).size, longest };
  },
  staleTime: 60_000,
  refetchInterval: 60_000,
});
