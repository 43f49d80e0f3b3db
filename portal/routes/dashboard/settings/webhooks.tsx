import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { parseWebhookSearch, type WebhookSearch } from '../../../features/webhooks/queries.ts';
import { WebhooksPage } from '../../../features/webhooks/webhooks-page.tsx';
import { onlySet } from '../../../app/search-params.ts';

export const Route = createFileRoute('/dashboard/settings/webhooks')({ validateSearch: parseWebhookSearch, component: Webhooks });

function Webhooks() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: WebhookSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true }),
    [navigate],
  );
  return <WebhooksPage search={Route.useSearch()} onSearch={onSearch} />;
}
