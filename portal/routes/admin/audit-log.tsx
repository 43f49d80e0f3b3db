import { createFileRoute } from '@tanstack/react-router';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { AuditLog } from '../../features/audit/audit-log.tsx';
import { auditListQuery, parseAuditSearch } from '../../features/audit/queries.ts';
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
  const [search, onSearch] = useSearchState(Route);
  return (
    <>
      <PageHeader title="Audit log" meta="Who did what, across every agency and the platform itself" />
      <AuditLog isStaff scope={{}} search={search} onSearch={onSearch} />
    </>
  );
}
