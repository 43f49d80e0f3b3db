import { ROLES, USER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { UsersPage } from '../../features/users/users-page.tsx';
import { oneOf, searchParser, textParam } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { usersQuery } from '../../features/users/queries.ts';

const parseSearch = searchParser({ q: textParam, role: oneOf(ROLES), status: oneOf(USER_STATUSES) });

export const Route = createFileRoute('/admin/users')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('users'));
    startQueries(preload, usersQuery(deps));
  },
  component: Users,
});

function Users() {
  const [search, onSearch] = useSearchState(Route);
  return <UsersPage search={search} onSearch={onSearch} />;
}
