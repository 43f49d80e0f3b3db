import { createFileRoute } from '@tanstack/react-router';
import { CatalogPage } from '../../features/catalog/catalog-page.tsx';
import { RequestButton } from '../../features/requests/request-dialog.tsx';
import { parseCatalogSearch } from '../../queries/catalog.ts';

export const Route = createFileRoute('/dashboard/catalog')({ validateSearch: parseCatalogSearch, component: Catalog });

function Catalog() {
  const search = Route.useSearch();
  return (
    <CatalogPage
      {...search}
      client={search.client}
      request={(entry) => <RequestButton kind="primary" word="Request" clientId={search.client} templateName={entry.name} />}
    />
  );
}
