import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { type Invoice, invoicesQuery, type Order, ordersQuery } from '../../queries/billing.ts';
import { amountOf, billingDay, invoiceName, invoiceState, ORDER_STATUS, orderName, periodText } from '../../shared/billing-labels.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { InvoiceTotal } from '../../shared/invoice-total.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { InvoiceDrawer } from './invoice-drawer.tsx';
import { PdfButton } from './pdf-button.tsx';
import '../../ui/table/table.css';

/** The open invoice, and an order to point out, are in the URL. */
export type InvoicesSearch = { invoice?: string | undefined; order?: string | undefined };

type Props = InvoicesSearch & { onOpen: (invoice: string | undefined) => void };

/** Invoices and credit notes with their documents, and what was ordered. */
export function InvoicesPage({ invoice, order, onOpen }: Props) {
  const invoices = useInfiniteQuery(invoicesQuery({}));
  const orders = useInfiniteQuery(ordersQuery({}));
  const mailed = useMailed();
  return (
    <>
      <Section
        title="Invoices"
        note="newest first"
        aside={<ExportButton size="sm" name="invoices" read={() => api.exportInvoices({ query: {} })} />}
      >
        <PagedTable
          list={invoices}
          label="Invoices"
          columns={INVOICE_COLUMNS}
          rowKey={({ id }) => id}
          openKey={invoice}
          onOpen={({ id }) => onOpen(id)}
          expected={3}
          isBad={({ overdueDays }) => overdueDays > 0}
          empty={
            <EmptyState title="No invoices yet">
              Each invoice appears here when we issue it, as a PDF{mailed(', and is mailed to you')}.
            </EmptyState>
          }
        />
      </Section>
      {/* Below the invoices: before they are known it would move. */}
      <Section
        className={invoices.isPending ? 'invisible' : ''}
        title="Orders"
        note="seats and credits you bought"
        aside={<ExportButton size="sm" name="orders" read={() => api.exportOrders({ query: {} })} />}
      >
        <PagedTable
          list={orders}
          label="Orders"
          columns={ORDER_COLUMNS}
          rowKey={({ id }) => id}
          openKey={order}
          expected={3}
          empty={
            <EmptyState title="No orders yet">Seats and credits you buy are listed here, with who ordered them and the invoice.</EmptyState>
          }
        />
      </Section>
      <InvoiceDrawer id={invoice} onClose={() => onOpen(undefined)} />
    </>
  );
}

const INVOICE_COLUMNS: Column<Invoice>[] = [
  {
    key: 'invoice',
    head: 'Invoice',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/dashboard/billing/invoices" search={{ invoice: row.id }} resetScroll={false} data-whole="">
          {invoiceName(row)}
        </Link>
        <span className="table-second-line table-phone-line">{row.issuedAt ? billingDay(row.issuedAt) : ''}</span>
      </>
    ),
  },
  { key: 'period', head: 'Period', hide: 'phone', cell: (row) => <span className="text-ink-2">{periodText(row) || '–'}</span> },
  { key: 'issued', head: 'Issued', hide: 'phone', align: 'end', cell: (row) => dayOrDash(row.issuedAt) },
  { key: 'due', head: 'Due', hide: 'phone', align: 'end', cell: (row) => dayOrDash(row.kind === 'invoice' ? row.dueAt : null) },
  {
    key: 'status',
    head: 'Status',
    cell: (row) => {
      const { mark, word, tone } = invoiceState(row);
      return (
        <Status mark={mark} {...(tone ? { tone } : {})}>
          {word}
        </Status>
      );
    },
  },
  { key: 'total', head: 'Total', align: 'end', cell: (row) => <InvoiceTotal invoice={row} /> },
  { key: 'pdf', head: <span className="sr-only">Document</span>, align: 'end', cell: (row) => <PdfButton invoice={row} compact /> },
];

const ORDER_COLUMNS: Column<Order>[] = [
  {
    key: 'order',
    head: 'Order',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{orderName(row)}</span>
        <span className="table-second-line table-phone-line">{row.orderedByName ?? ''}</span>
      </>
    ),
  },
  { key: 'by', head: 'Ordered by', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.orderedByName ?? '–'}</span> },
  { key: 'at', head: 'When', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.createdAt} className="text-ink-2" /> },
  {
    key: 'status',
    head: 'Status',
    cell: (row) => {
      const { mark, word } = ORDER_STATUS[row.status];
      return (
        <Status mark={mark}>
          {row.invoiceId ? (
            <Link to="/dashboard/billing/invoices" search={{ invoice: row.invoiceId }} resetScroll={false}>
              {word}
            </Link>
          ) : (
            word
          )}
        </Status>
      );
    },
  },
  { key: 'amount', head: 'Amount', align: 'end', cell: (row) => <b className="font-medium">{amountOf(row.amountMinor, row.currency)}</b> },
];

function dayOrDash(iso: string | null) {
  return iso === null ? <span className="text-ink-3">–</span> : <span className="text-ink-2">{billingDay(iso)}</span>;
}
