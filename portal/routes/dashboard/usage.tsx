import { createFileRoute } from '@tanstack/react-router';
import { parseUsageSearch } from '../../features/usage/usage-search.ts';
import { UsagePage } from '../../features/usage/usage-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { quotaQuery } from '../../queries/agency.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/usage')({
  validateSearch: parseUsageSearch,
  loader: ({ preload }) => loadQueries(preload, quotaQuery),
  pendingComponent: () => (
    <PageSkeleton title="Usage & billing">
      <SkeletonBlock height={360} />
    </PageSkeleton>
  ),
  component: Usage,
});

function Usage() {
  const search = Route.useSearch();
  return <UsagePage {...search} client={search.client} />;
}
