import { createFileRoute } from '@tanstack/react-router';
import { startMissing, startQueries } from '../../../../app/route-data.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { partnerQuery } from '../../../../queries/partners.ts';
import { savedFiltersQuery } from '../../../../queries/saved-filters.ts';
import { AuditLog } from '../../../../features/audit/audit-log.tsx';
import { auditListQuery, parseAuditSearch } from '../../../../features/audit/queries.ts';

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
  const [search, onSearch] = useSearchState(Route);
  return <AuditLog isStaff scope={{ partner: partnerId }} search={search} onSearch={onSearch} />;
}
