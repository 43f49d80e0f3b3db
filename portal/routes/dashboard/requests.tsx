import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { KeyForm } from '../../features/integrations/key-form.tsx';
import { AgencyRequestsPage } from '../../features/requests/agency-requests-page.tsx';
import type { KeyFormOf } from '../../features/requests/missing-keys.tsx';
import { parseRequestSearch, requestsQuery } from '../../queries/agent-requests.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { textSuggestionsQuery } from '../../queries/text-suggestions.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { clientIn } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/requests')({
  validateSearch: parseRequestSearch,
  loader: ({ preload, location }) => {
    const clientId = clientIn(location.search);
    startMissing(preload, savedFiltersQuery('requests'), textSuggestionsQuery({ clientId, status: 'pending' }));
    return loadQueries(preload, requestsQuery(clientId));
  },
  pendingComponent: () => (
    <PageSkeleton title="Requests">
      <SkeletonRows rows={5} height={72} label="Loading the requests" />
    </PageSkeleton>
  ),
  component: Requests,
});

const keyForm: KeyFormOf = (key) => <KeyForm {...key} row={undefined} />;

function Requests() {
  const [{ client, request }, onSearch] = useSearchState(Route);
  const onOpen = useCallback((id: string | undefined) => onSearch({ request: id }), [onSearch]);
  return <AgencyRequestsPage clientId={client} requestId={request} onOpen={onOpen} keyForm={keyForm} />;
}
