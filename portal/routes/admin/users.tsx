import { ROLES, USER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { UserFilters } from '../../features/users/queries.ts';
import { UsersPage } from '../../features/users/users-page.tsx';
import { choiceParam, onlySet, textParam } from '../../app/search-params.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { usersQuery } from '../../features/users/queries.ts';

export const Route = createFileRoute('/admin/users')({
  validateSearch: (search: Record<string, unknown>): UserFilters =>
    onlySet({ q: textParam(search.q), role: choiceParam(ROLES, search.role), status: choiceParam(USER_STATUSES, search.status) }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('users'));
    startQueries(preload, usersQuery(deps));
  },
  component: Users,
});

function Users() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: UserFilters) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <UsersPage search={Route.useSearch()} onSearch={onSearch} />;
}
