import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startQueries } from '../../../app/route-data.ts';
import { idParam, searchParser } from '../../../app/search-params.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { InvoicesPage } from '../../../features/billing/invoices-page.tsx';
import { invoicesQuery, ordersQuery } from '../../../queries/billing.ts';

const parseSearch = searchParser({ invoice: idParam, order: idParam });

export const Route = createFileRoute('/dashboard/billing/invoices')({
  validateSearch: parseSearch,
  loader: ({ preload }) => startQueries(preload, invoicesQuery({}), ordersQuery({})),
  component: Invoices,
});

function Invoices() {
  const [search, onSearch] = useSearchState(Route);
  const onOpen = useCallback((id: string | undefined) => onSearch({ invoice: id }), [onSearch]);
  return <InvoicesPage {...search} onOpen={onOpen} />;
}
