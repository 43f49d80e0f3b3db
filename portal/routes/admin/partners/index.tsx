import { INSTANCE_STATUSES, type InstanceStatus } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { CreatePartnerDialog } from '../../../features/partners/create-partner.tsx';
import { PARTNER_COLUMNS, PartnerTable } from '../../../features/partners/partner-table.tsx';
import type { PartnerFilters } from '../../../features/partners/queries.ts';
import { choiceParam, onlySet, textParam } from '../../../app/search-params.ts';
import { api } from '../../../app/api.ts';
import { ExportButton } from '../../../shared/export-button.tsx';
import { SavedFilters } from '../../../shared/saved-filters.tsx';
import { useTitle } from '../../../ui/hooks/use-title.ts';
import { INSTANCE } from '../../../shared/labels.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { FilterChip } from '../../../ui/controls/chips.tsx';
import { FilterBar } from '../../../ui/table/filter-bar.tsx';
import { TableTools, useTableView } from '../../../ui/table/table-tools.tsx';
import { PageHeader } from '../../../ui/layout/layout.tsx';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';
import { partnersQuery } from '../../../features/partners/queries.ts';

const ACCOUNTS = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'deleted', label: 'Deleted' },
] as const;

export const Route = createFileRoute('/admin/partners/')({
  validateSearch: (search: Record<string, unknown>): PartnerFilters => ({
    ...onlySet({ q: textParam(search.q) }),
    ...onlySet({ status: choiceParam(['active', 'suspended', 'deleted'] as const, search.status) }),
    ...(isInstanceStatus(search.automationStatus) ? { automationStatus: search.automationStatus } : {}),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('partners'));
    startQueries(preload, partnersQuery(deps));
  },
  component: PartnersPage,
});

function PartnersPage() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const view = useTableView('partners');
  useTitle('Partners');
  const set = useCallback(
    (change: Partial<Record<keyof PartnerFilters, string | undefined>>) =>
      void navigate({ search: (before) => ({ ...before, ...change }) as PartnerFilters, replace: true, resetScroll: false }),
    [navigate],
  ); // checked again by validateSearch
  const onText = useCallback((q: string | undefined) => set({ q }), [set]);
  return (
    <>
      <PageHeader
        title="Partners"
        meta="Every agency, its plan and its automation"
        actions={
          <>
            <Link to="/admin/account-requests" className={buttonClass()}>
              Account requests
            </Link>
            <ExportButton name="partners" read={() => api.exportPartners({ query: filters })} />
            <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setCreating(true)}>
              Create partner
            </Button>
          </>
        }
      />
      <FilterBar
        text={filters.q}
        onText={onText}
        placeholder="Filter by name"
        chips={
          <>
            <FilterChip
              name="Automation"
              value={filters.automationStatus}
              options={INSTANCE_STATUSES.map((value) => ({ value, label: INSTANCE[value].word }))}
              onChange={(automationStatus) => set({ automationStatus })}
            />
            <FilterChip name="Account" value={filters.status} options={ACCOUNTS} onChange={(status) => set({ status })} />
          </>
        }
        tools={
          <>
            <SavedFilters table="partners" keys={['q', 'status', 'automationStatus']} />
            <TableTools view={view} choices={PARTNER_COLUMNS} />
          </>
        }
      />
      <PartnerTable filters={filters} view={view} onClear={() => set({ q: undefined, status: undefined, automationStatus: undefined })} />
      <CreatePartnerDialog open={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function isInstanceStatus(value: unknown): value is InstanceStatus {
  return INSTANCE_STATUSES.some((status) => status === value);
}
