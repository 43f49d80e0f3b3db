import { createFileRoute } from '@tanstack/react-router';
import { CatalogPage } from '../../features/catalog/catalog-page.tsx';
import { RequestButton } from '../../features/requests/request-button.tsx';
import { parseCatalogSearch, catalogQuery } from '../../queries/catalog.ts';
import { loadQueries } from '../../app/route-data.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/catalog')({
  validateSearch: parseCatalogSearch,
  loader: ({ preload, location }) => loadQueries(preload, catalogQuery(clientIn(location.search))),
  pendingComponent: () => (
    <PageSkeleton title="Catalog">
      <SkeletonRows rows={10} height={52} label="Loading the catalog" />
    </PageSkeleton>
  ),
  component: Catalog,
});

function Catalog() {
  const search = Route.useSearch();
  return (
    <CatalogPage
      {...search}
      client={search.client}
      request={(entry) =>
        // An agent that this client already has is opened from the list below, not requested again.
        search.client && entry.installed ? null : (
          <RequestButton kind="primary" word="Request" clientId={search.client} templateName={entry.name} />
        )
      }
    />
  );
}
