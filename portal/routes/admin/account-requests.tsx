import { createFileRoute } from '@tanstack/react-router';
import { AccountRequestsPage } from '../../features/account-lifecycle/account-requests-page.tsx';
import {
  deletionFilters,
  parseAccountRequestsSearch,
  reactivationFilters,
} from '../../features/account-lifecycle/account-requests-search.ts';
import { startQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { deletionsQuery, reactivationsQuery } from '../../queries/account.ts';

export const Route = createFileRoute('/admin/account-requests')({
  validateSearch: parseAccountRequestsSearch,
  loaderDeps: ({ search: { request: _request, ...filters } }) => filters,
  loader: ({ deps, preload }) =>
    startQueries(preload, deps.show ? reactivationsQuery(reactivationFilters(deps)) : deletionsQuery(deletionFilters(deps))),
  component: AccountRequests,
});

function AccountRequests() {
  const [search, onSearch] = useSearchState(Route);
  return <AccountRequestsPage search={search} onSearch={onSearch} />;
}
