import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startMissing, startQueries } from '../../../../app/route-data.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { savedFiltersQuery } from '../../../../queries/saved-filters.ts';
import { AuditLog } from '../../../../features/audit/audit-log.tsx';
import { auditListQuery, type AuditSearch, parseAuditSearch } from '../../../../features/audit/queries.ts';
import { onlySet } from '../../../../app/search-params.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/audit')({
  validateSearch: parseAuditSearch,
  loaderDeps: ({ search: { entry: _entry, ...filters } }) => filters,
  loader: ({ params: { partnerId }, deps, preload }) => {
    startMissing(preload, partnerQuery(partnerId), savedFiltersQuery('audit'));
    startQueries(preload, auditListQuery({ ...deps, partner: partnerId }));
  },
  component: Audit,
});

function Audit() {
  const { partnerId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: AuditSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <AuditLog isStaff scope={{ partner: partnerId }} search={search} onSearch={onSearch} />;
}
