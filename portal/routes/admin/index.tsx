import { createFileRoute } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { parseQueueSearch, type QueueSearch } from '../../features/queue/item.ts';
import { QueuePage } from '../../features/queue/queue-page.tsx';
import { QueuedRequest } from '../../features/requests/queued-request.tsx';
import { onlySet } from '../../app/search-params.ts';
import { startQueries } from '../../app/route-data.ts';
import { workQueueQuery } from '../../queries/work-queue.ts';

/** The staff home page is the work queue. */
export const Route = createFileRoute('/admin/')({
  validateSearch: parseQueueSearch,
  loader: ({ preload }) => startQueries(preload, workQueueQuery),
  component: WorkQueue,
});

function WorkQueue() {
  const navigate = Route.useNavigate();
  const router = useRouter();
  const onSearch = useCallback(
    async (change: QueueSearch) => {
      await navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true });
      return parseQueueSearch(router.latestLocation.search).item;
    },
    [navigate, router],
  );
  return (
    <QueuePage
      search={Route.useSearch()}
      onSearch={onSearch}
      agentRequest={(request, owner) => <QueuedRequest key={request.id} {...request} owner={owner} />}
    />
  );
}
