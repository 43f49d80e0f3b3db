import { createFileRoute } from '@tanstack/react-router';
import { CatalogPage } from '../../features/catalog/catalog-page.tsx';
import { parseCatalogSearch } from '../../lib/catalog.ts';

export const Route = createFileRoute('/dashboard/catalog')({ validateSearch: parseCatalogSearch, component: Catalog });

function Catalog() {
  const search = Route.useSearch();
  return <CatalogPage {...search} client={search.client} />;
}
