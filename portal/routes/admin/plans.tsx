import { createFileRoute } from '@tanstack/react-router';
import { PlansPage } from '../../features/plans/plans-page.tsx';
import { newOrId, searchParser } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { loadQueries } from '../../app/route-data.ts';
import { allPlansQuery } from '../../queries/plans.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({ plan: newOrId });

export const Route = createFileRoute('/admin/plans')({
  validateSearch: parseSearch,
  loader: ({ preload }) => loadQueries(preload, allPlansQuery),
  pendingComponent: () => (
    <PageSkeleton title="Plans">
      <SkeletonRows rows={4} label="Loading the plans" />
    </PageSkeleton>
  ),
  component: Plans,
});

function Plans() {
  const [search, onSearch] = useSearchState(Route);
  return <PlansPage search={search} onSearch={onSearch} />;
}
