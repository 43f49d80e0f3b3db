import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { AuditLog } from '../../features/audit/audit-log.tsx';
import { auditListQuery, type AuditSearch, parseAuditSearch } from '../../features/audit/queries.ts';
import { onlySet } from '../../app/search-params.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';

export const Route = createFileRoute('/admin/audit-log')({
  validateSearch: parseAuditSearch,
  loaderDeps: ({ search: { entry: _entry, ...filters } }) => filters,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('audit'));
    startQueries(preload, auditListQuery(deps));
  },
  component: Audit,
});

function Audit() {
  useTitle('Audit log');
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: AuditSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <>
      <PageHeader title="Audit log" meta="Who did what, across every agency and the platform itself" />
      <AuditLog isStaff scope={{}} search={search} onSearch={onSearch} />
    </>
  );
}
