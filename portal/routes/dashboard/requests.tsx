import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { KeyForm } from '../../features/integrations/key-form.tsx';
import { AgencyRequestsPage } from '../../features/requests/agency-requests-page.tsx';
import type { KeyFormOf } from '../../features/requests/missing-keys.tsx';
import { parseRequestSearch, requestsQuery } from '../../queries/agent-requests.ts';
import { loadQueries } from '../../app/route-data.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/requests')({
  validateSearch: parseRequestSearch,
  loader: ({ preload, location }) => loadQueries(preload, requestsQuery(clientIn(location.search))),
  pendingComponent: () => (
    <PageSkeleton title="Requests">
      <SkeletonRows rows={5} height={72} label="Loading the requests" />
    </PageSkeleton>
  ),
  component: Requests,
});

const keyForm: KeyFormOf = (key) => <KeyForm {...key} row={undefined} />;

function Requests() {
  const { client, request } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onOpen = useCallback(
    (id: string | undefined) => void navigate({ search: (before) => ({ ...before, request: id }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <AgencyRequestsPage clientId={client} requestId={request} onOpen={onOpen} keyForm={keyForm} />;
}
