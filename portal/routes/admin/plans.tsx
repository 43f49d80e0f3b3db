import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PlansPage, type PlanSearch } from '../../features/plans/plans-page.tsx';
import { idParam, onlySet } from '../../app/search-params.ts';
import { loadQueries } from '../../app/route-data.ts';
import { allPlansQuery } from '../../queries/plans.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/plans')({
  validateSearch: (search: Record<string, unknown>): PlanSearch => onlySet({ plan: search.plan === 'new' ? 'new' : idParam(search.plan) }),
  loader: ({ preload }) => loadQueries(preload, allPlansQuery),
  pendingComponent: () => (
    <PageSkeleton title="Plans">
      <SkeletonRows rows={4} label="Loading the plans" />
    </PageSkeleton>
  ),
  component: Plans,
});

function Plans() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (search: PlanSearch) => void navigate({ search: onlySet(search), replace: true, resetScroll: false }),
    [navigate],
  );
  return <PlansPage search={Route.useSearch()} onSearch={onSearch} />;
}
