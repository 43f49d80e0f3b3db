import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AccountRequestsPage } from '../../features/account-lifecycle/account-requests-page.tsx';
import {
  type AccountRequestsSearch,
  deletionFilters,
  parseAccountRequestsSearch,
  reactivationFilters,
} from '../../features/account-lifecycle/account-requests-search.ts';
import { startQueries } from '../../app/route-data.ts';
import { onlySet } from '../../app/search-params.ts';
import { deletionsQuery, reactivationsQuery } from '../../queries/account.ts';

export const Route = createFileRoute('/admin/account-requests')({
  validateSearch: parseAccountRequestsSearch,
  loaderDeps: ({ search: { request: _request, ...filters } }) => filters,
  loader: ({ deps, preload }) =>
    startQueries(preload, deps.show ? reactivationsQuery(reactivationFilters(deps)) : deletionsQuery(deletionFilters(deps))),
  component: AccountRequests,
});

function AccountRequests() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: AccountRequestsSearch) =>
      void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <AccountRequestsPage search={Route.useSearch()} onSearch={onSearch} />;
}
