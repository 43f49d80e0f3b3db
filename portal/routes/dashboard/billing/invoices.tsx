import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startQueries } from '../../../app/route-data.ts';
import { isId } from '../../../app/search-params.ts';
import { InvoicesPage, type InvoicesSearch } from '../../../features/billing/invoices-page.tsx';
import { invoicesQuery, ordersQuery } from '../../../queries/billing.ts';

export const Route = createFileRoute('/dashboard/billing/invoices')({
  validateSearch: (search: Record<string, unknown>): InvoicesSearch =>
    typeof search.invoice === 'string' && isId(search.invoice) ? { invoice: search.invoice } : {},
  loader: ({ preload }) => startQueries(preload, invoicesQuery({}), ordersQuery({})),
  component: Invoices,
});

function Invoices() {
  const { invoice } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onOpen = useCallback(
    (id: string | undefined) => void navigate({ search: (before) => ({ ...before, invoice: id }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <InvoicesPage invoice={invoice} onOpen={onOpen} />;
}
