import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ActivityPage } from '../../features/client/activity-page.tsx';
import type { ActivitySearch } from '../../features/client/queries.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';
import { startQueries } from '../../app/route-data.ts';
import { activityQuery, agentsQuery } from '../../features/client/queries.ts';

export const Route = createFileRoute('/client/activity')({
  validateSearch: (search: Record<string, unknown>): ActivitySearch =>
    onlySet({
      agent: idParam(search.agent),
      result: choiceParam(['done', 'failed'] as const, search.result),
      since: choiceParam(['today', 'week', 'month'] as const, search.since),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => startQueries(preload, activityQuery(deps), agentsQuery),
  component: Activity,
});

function Activity() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: ActivitySearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <ActivityPage search={Route.useSearch()} onSearch={onSearch} />;
}
