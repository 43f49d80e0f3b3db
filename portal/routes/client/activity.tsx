import { createFileRoute } from '@tanstack/react-router';
import { ActivityPage } from '../../features/client/activity-page.tsx';
import { idParam, oneOf, searchParser } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { startQueries } from '../../app/route-data.ts';
import { activityQuery, agentsQuery } from '../../features/client/queries.ts';

const parseSearch = searchParser({ agent: idParam, result: oneOf(['done', 'failed']), since: oneOf(['today', 'week', 'month']) });

export const Route = createFileRoute('/client/activity')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => startQueries(preload, activityQuery(deps), agentsQuery),
  component: Activity,
});

function Activity() {
  const [search, onSearch] = useSearchState(Route);
  return <ActivityPage search={search} onSearch={onSearch} />;
}
