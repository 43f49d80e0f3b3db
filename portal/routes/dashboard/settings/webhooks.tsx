import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { endpointsQuery } from '../../../features/webhooks/queries.ts';
import { parseWebhookSearch, type WebhookSearch } from '../../../features/webhooks/webhook-search.ts';
import { WebhooksPage } from '../../../features/webhooks/webhooks-page.tsx';
import { onlySet } from '../../../app/search-params.ts';
import { loadQueries } from '../../../app/route-data.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/webhooks')({
  validateSearch: parseWebhookSearch,
  loader: ({ preload }) => loadQueries(preload, endpointsQuery),
  pendingComponent: () => <SkeletonRows rows={3} height={88} label="Loading endpoints" />,
  component: Webhooks,
});

function Webhooks() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: WebhookSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <WebhooksPage search={Route.useSearch()} onSearch={onSearch} />;
}
