import { createFileRoute } from '@tanstack/react-router';
import { ServicesPage } from '../../features/client/services-page.tsx';
import { searchParser, textParam } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { loadQueries } from '../../app/route-data.ts';
import { keysQuery, needsQuery } from '../../features/client/services-queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({ service: textParam });

export const Route = createFileRoute('/client/integrations')({
  validateSearch: parseSearch,
  loader: ({ preload }) => loadQueries(preload, keysQuery, needsQuery),
  pendingComponent: () => <SkeletonRows rows={6} height={104} />,
  component: Integrations,
});

function Integrations() {
  const [{ service }, onSearch] = useSearchState(Route);
  return <ServicesPage service={service} onService={(next) => onSearch({ service: next })} />;
}
