import { INSTANCE_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { INSTANCE } from '../../shared/labels.ts';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { useTableView } from '../../ui/table/table-tools.tsx';
import { CreatePartnerDialog } from './create-partner.tsx';
import { PARTNER_COLUMNS, partnerColumns } from './partner-columns.tsx';
import { type PartnerFilters, partnersOnboardingQuery, partnersQuery } from './queries.ts';

type Props = { filters: PartnerFilters; onSearch: (change: SearchChange<PartnerFilters>) => void };

const ACCOUNTS = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'deleted', label: 'Deleted' },
] as const;
const AUTOMATION = INSTANCE_STATUSES.map((value) => ({ value, label: INSTANCE[value].word }));

/** All agencies, for staff. */
export function PartnersPage({ filters, onSearch }: Props) {
  useTitle('Partners');
  const [isCreating, setCreating] = useState(false);
  const view = useTableView('partners');
  const navigate = useNavigate();
  const list = useInfiniteQuery(partnersQuery(filters));
  const onboarding = useQuery(partnersOnboardingQuery(rowsOf(list).map((row) => row.id)));
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
      <FilteredList
        search={filters}
        onSearch={onSearch}
        filters={['q', 'status', 'automationStatus']}
        placeholder="Filter by name"
        chips={
          <>
            <FilterChip
              name="Automation"
              value={filters.automationStatus}
              options={AUTOMATION}
              onChange={(automationStatus) => onSearch({ automationStatus })}
            />
            <FilterChip name="Account" value={filters.status} options={ACCOUNTS} onChange={(status) => onSearch({ status })} />
          </>
        }
        saved="partners"
        view={view}
        hideable={PARTNER_COLUMNS}
        none={
          <EmptyState title="No partners yet">
            Agencies appear here with their plan, automation and runs. Create the first one to get started.
          </EmptyState>
        }
        noMatch="partner"
        list={list}
        label="Partners"
        columns={partnerColumns(onboarding.data)}
        rowKey={(row) => row.id}
        onOpen={(row) => void navigate({ to: '/admin/partners/$partnerId', params: { partnerId: row.id } })}
      />
      <CreatePartnerDialog open={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
