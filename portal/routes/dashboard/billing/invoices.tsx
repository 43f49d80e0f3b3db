import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startQueries } from '../../../app/route-data.ts';
import { isId, onlySet } from '../../../app/search-params.ts';
import { InvoicesPage, type InvoicesSearch } from '../../../features/billing/invoices-page.tsx';
import { invoicesQuery, ordersQuery } from '../../../queries/billing.ts';

export const Route = createFileRoute('/dashboard/billing/invoices')({
  validateSearch: (search: Record<string, unknown>): InvoicesSearch =>
    onlySet({ invoice: idParam(search.invoice), order: idParam(search.order) }),
  loader: ({ preload }) => startQueries(preload, invoicesQuery({}), ordersQuery({})),
  component: Invoices,
});

function idParam(value: unknown): string | undefined {
  return typeof value === 'string' && isId(value) ? value : undefined;
}

function Invoices() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onOpen = useCallback(
    (id: string | undefined) => void navigate({ search: (before) => ({ ...before, invoice: id }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <InvoicesPage {...search} onOpen={onOpen} />;
}
