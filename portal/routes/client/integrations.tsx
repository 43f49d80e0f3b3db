import { createFileRoute } from '@tanstack/react-router';
import { ServicesPage } from '../../features/client/services-page.tsx';
import { onlySet, textParam } from '../../app/search-params.ts';
import { loadQueries } from '../../app/route-data.ts';
import { keysQuery, needsQuery } from '../../features/client/services-queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/integrations')({
  validateSearch: (search: Record<string, unknown>): { service?: string | undefined } => onlySet({ service: textParam(search.service) }),
  loader: ({ preload }) => loadQueries(preload, keysQuery, needsQuery),
  pendingComponent: () => <SkeletonRows rows={6} height={104} />,
  component: Integrations,
});

function Integrations() {
  const navigate = Route.useNavigate();
  return (
    <ServicesPage
      service={Route.useSearch().service}
      onService={(service) => void navigate({ search: onlySet({ service }), replace: true, resetScroll: false })}
    />
  );
}
