import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { InvoiceStatus, OrderKind } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../app/api.ts';
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

/** A change to preview. The numbers are overrides, which only staff may name; absent ones are the plan's. */
export type TermsChange = {
  planId: string;
  monthlyPriceMinor?: number | undefined;
  seatPriceMinor?: number | undefined;
  includedSeats?: number | undefined;
  includedClients?: number | undefined;
  monthlyCredits?: number | undefined;
};

export const planChangeQuery = (partnerId: string | undefined, change: TermsChange) =>
  queryOptions({
    queryKey: keys.billing.planChange(partnerId, change),
    queryFn: ({ signal }) => api.previewPlanChange({ query: { ...change, partnerId }, signal }),
    staleTime: 0,
    retry: false,
  });

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

export const invoicesQuery = (filters: InvoiceFilters) =>
  infiniteQueryOptions({
    queryKey: keys.billing.invoices(filters),
    queryFn: ({ pageParam, signal }) =>
      api.listInvoices({ query: { ...invoiceListQuery(filters), cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const invoiceQuery = (id: string) =>
  queryOptions({ queryKey: keys.billing.invoice(id), queryFn: ({ signal }) => api.getInvoice({ params: { id }, signal }) });

export type OrderFilters = { partnerId?: string | undefined; kind?: OrderKind | undefined; limit?: number | undefined };

export const ordersQuery = (filters: OrderFilters) =>
  infiniteQueryOptions({
    queryKey: keys.billing.orders(filters),
    queryFn: ({ pageParam, signal }) => api.listOrders({ query: { ...filters, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
