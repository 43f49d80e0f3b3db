import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { InvoicesPage } from '../../features/billing-staff/invoices-page.tsx';
import { type InvoiceSearch, parseInvoiceSearch } from '../../features/billing-staff/invoice-search.ts';
import { onlySet } from '../../app/search-params.ts';

export const Route = createFileRoute('/admin/invoices')({
  validateSearch: parseInvoiceSearch,
  component: Invoices,
});

function Invoices() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: InvoiceSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <InvoicesPage search={Route.useSearch()} onSearch={onSearch} />;
}
