import { createFileRoute } from '@tanstack/react-router';
import { startQueries } from '../../../app/route-data.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { AuditLog } from '../../../features/audit/audit-log.tsx';
import { auditListQuery, parseAuditSearch } from '../../../features/audit/queries.ts';

export const Route = createFileRoute('/dashboard/settings/audit')({
  validateSearch: parseAuditSearch,
  loaderDeps: ({ search: { entry: _entry, ...filters } }) => filters,
  loader: ({ deps, preload }) => startQueries(preload, auditListQuery(deps)),
  component: Audit,
});

function Audit() {
  const [search, onSearch] = useSearchState(Route);
  return <AuditLog scope={{}} search={search} onSearch={onSearch} />;
}
