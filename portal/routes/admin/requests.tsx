import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { StaffRequestsPage } from '../../features/requests/staff-requests-page.tsx';
import { parseRequestSearch, requestsQuery } from '../../queries/agent-requests.ts';
import { loadQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/admin/requests')({
  validateSearch: parseRequestSearch,
  loader: ({ preload }) => loadQueries(preload, requestsQuery(undefined)),
  pendingComponent: () => (
    <PageSkeleton title="Requests">
      <SkeletonRows rows={5} height={72} label="Loading the requests" />
    </PageSkeleton>
  ),
  component: Requests,
});

function Requests() {
  const [{ request }, onSearch] = useSearchState(Route);
  const onOpen = useCallback((id: string | undefined) => onSearch({ request: id }), [onSearch]);
  return <StaffRequestsPage requestId={request} onOpen={onOpen} />;
}
