import { createFileRoute } from '@tanstack/react-router';
import { InvoicesPage } from '../../features/billing-staff/invoices-page.tsx';
import { parseInvoiceSearch } from '../../features/billing-staff/invoice-search.ts';
import { useSearchState } from '../../app/search-state.ts';

export const Route = createFileRoute('/admin/invoices')({
  validateSearch: parseInvoiceSearch,
  component: Invoices,
});

function Invoices() {
  const [search, onSearch] = useSearchState(Route);
  return <InvoicesPage search={search} onSearch={onSearch} />;
}
