import { createFileRoute } from '@tanstack/react-router';
import { DeveloperPage } from '../../features/developer/developer-page.tsx';
import { parseDeveloperSearch } from '../../features/developer/developer-search.ts';
import { loadQueries } from '../../app/route-data.ts';
import { eventCatalogueQuery } from '../../queries/event-catalogue.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/developer')({
  validateSearch: parseDeveloperSearch,
  loader: ({ preload }) => loadQueries(preload, eventCatalogueQuery),
  pendingComponent: () => (
    <PageSkeleton title="Developer">
      <SkeletonRows rows={10} label="Loading events" />
    </PageSkeleton>
  ),
  component: Developer,
});

function Developer() {
  return <DeveloperPage search={Route.useSearch()} />;
}
