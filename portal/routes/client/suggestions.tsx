import { createFileRoute } from '@tanstack/react-router';
import { SuggestionsPage } from '../../features/requests/suggestions-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { catalogQuery } from '../../queries/catalog.ts';
import { requestsQuery } from '../../queries/agent-requests.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/suggestions')({
  loader: ({ preload }) => loadQueries(preload, catalogQuery(undefined), requestsQuery(undefined)),
  pendingComponent: () => <SkeletonRows rows={6} height={84} />,
  component: SuggestionsPage,
});
