import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { type Order, ordersQuery } from '../../queries/billing.ts';
import { amountOf, ORDER_STATUS, orderName } from '../../shared/billing-labels.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import '../../ui/table/table.css';
import { PARTNER_STEP } from './queries.ts';

/** Seats and credits that the agency bought. */
export function PartnerOrders({ partnerId, onOpen }: { partnerId: string; onOpen: (invoiceId: string) => void }) {
  const list = useInfiniteQuery(ordersQuery({ partnerId, limit: PARTNER_STEP }));
  return (
    <Section
      title="Orders"
      note="newest first"
      aside={<ExportButton size="sm" name="orders" read={() => api.exportOrders({ query: { partnerId } })} />}
    >
      <PagedTable
        list={list}
        empty={<EmptyState title="No orders yet">Seats and credits that the agency buys appear here, with who bought them.</EmptyState>}
        step={PARTNER_STEP}
        expected={3}
        label="Orders"
        columns={columnsOf(onOpen)}
        rowKey={(row) => row.id}
        dense
      />
    </Section>
  );
}

function columnsOf(onOpen: (invoiceId: string) => void): Column<Order>[] {
  return [
    {
      key: 'what',
      head: 'Bought',
      lead: true,
      cell: (row) => (
        <>
          <span className="font-medium">{orderName(row)}</span>
          <span className="table-second-line table-phone-line">{row.orderedByName ?? 'A removed user'}</span>
        </>
      ),
    },
    { key: 'by', head: 'By', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.orderedByName ?? '–'}</span> },
    {
      key: 'status',
      head: 'State',
      hide: 'phone',
      cell: ({ status, invoiceId }) => (
        <Status mark={ORDER_STATUS[status].mark}>
          {invoiceId ? (
            <button type="button" className="link" onClick={() => onOpen(invoiceId)}>
              {ORDER_STATUS[status].word}
            </button>
          ) : (
            ORDER_STATUS[status].word
          )}
        </Status>
      ),
    },
    { key: 'at', head: 'When', align: 'end', cell: (row) => <Time iso={row.createdAt} className="text-ink-2" /> },
    {
      key: 'amount',
      head: 'On the invoice',
      align: 'end',
      cell: (row) => <b className="font-medium">{amountOf(row.amountMinor, row.currency)}</b>,
    },
  ];
}
