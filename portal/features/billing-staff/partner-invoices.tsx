import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { invoicesQuery } from '../../queries/billing.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import { PARTNER_STEP } from './queries.ts';

const COLUMNS = invoiceColumns({ hasAgency: false });

/** Invoices and credit notes of one agency, newest first. */
export function PartnerInvoices({
  partnerId,
  openId,
  onOpen,
}: {
  partnerId: string;
  openId: string | undefined;
  onOpen: (id: string) => void;
}) {
  const list = useInfiniteQuery(invoicesQuery({ partnerId, limit: PARTNER_STEP }));
  return (
    <Section
      title="Invoices"
      note="newest first"
      aside={
        <Link className="link" to="/admin/invoices" search={{ partner: partnerId, show: 'all' }}>
          All on one page
        </Link>
      }
    >
      <PagedTable
        list={list}
        empty={<EmptyState title="No invoices yet">The first draft appears here when a paid subscription begins.</EmptyState>}
        step={PARTNER_STEP}
        expected={3}
        label="Invoices"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        onOpen={(row) => onOpen(row.id)}
        openKey={openId}
        dense
      />
    </Section>
  );
}
