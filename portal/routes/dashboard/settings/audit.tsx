import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startQueries } from '../../../app/route-data.ts';
import { AuditLog } from '../../../features/audit/audit-log.tsx';
import { auditListQuery, type AuditSearch, parseAuditSearch } from '../../../features/audit/queries.ts';

export const Route = createFileRoute('/dashboard/settings/audit')({
  validateSearch: parseAuditSearch,
  loaderDeps: ({ search: { entry: _entry, ...filters } }) => filters,
  loader: ({ deps, preload }) => startQueries(preload, auditListQuery(deps)),
  component: Audit,
});

function Audit() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: AuditSearch) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <AuditLog scope={{}} search={search} onSearch={onSearch} />;
}
