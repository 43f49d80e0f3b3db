import { createFileRoute } from '@tanstack/react-router';
import { endpointsQuery } from '../../../features/webhooks/queries.ts';
import { parseWebhookSearch } from '../../../features/webhooks/webhook-search.ts';
import { WebhooksPage } from '../../../features/webhooks/webhooks-page.tsx';
import { useSearchState } from '../../../app/search-state.ts';
import { loadQueries } from '../../../app/route-data.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/webhooks')({
  validateSearch: parseWebhookSearch,
  loader: ({ preload }) => loadQueries(preload, endpointsQuery),
  pendingComponent: () => <SkeletonRows rows={3} height={88} label="Loading endpoints" />,
  component: Webhooks,
});

function Webhooks() {
  const [search, onSearch] = useSearchState(Route);
  return <WebhooksPage search={search} onSearch={onSearch} />;
}
