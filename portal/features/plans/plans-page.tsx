import { useCallback } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { priceOf } from '../../shared/plan-labels.ts';
import { allPlansQuery, type StaffPlan } from '../../queries/plans.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { PlanDrawer } from './plan-drawer.tsx';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/table/table.css';

/** `plan` is the open plan's ID, or "new". */
export type PlanSearch = { plan?: string | undefined };
type Props = { search: PlanSearch; onSearch: (search: PlanSearch) => void };

/** The plans. A plan is retired, never deleted: its subscribers keep it. */
export function PlansPage({ search, onSearch }: Props) {
  useTitle('Plans');
  const plans = useLoaded(allPlansQuery);
  const refusal = useRefusal('partners.manage');
  const close = useCallback(() => onSearch({ plan: undefined }), [onSearch]);
  const opened = plans.find((plan) => plan.id === search.plan);
  const isNew = search.plan === 'new';
  return (
    <>
      <PageHeader
        title="Plans"
        meta="What agencies can subscribe to. An agency’s own terms override its plan."
        actions={
          <Button kind="primary" disabledReason={refusal} onClick={() => onSearch({ plan: 'new' })}>
            Create plan
          </Button>
        }
      />
      {plans.length === 0 ? (
        <EmptyState title="No plans yet">Agencies apply for a plan. Create the first one to get started.</EmptyState>
      ) : null}
      {plans.length > 0 ? (
        <Table
          label="Plans"
          columns={COLUMNS}
          rows={plans}
          rowKey={(row) => row.id}
          onOpen={(row) => onSearch({ plan: row.id })}
          openKey={search.plan}
        />
      ) : null}
      {opened || (isNew && !refusal) ? <PlanDrawer key={search.plan} plan={opened} onClose={close} /> : null}
    </>
  );
}

const COLUMNS: Column<StaffPlan>[] = [
  {
    key: 'name',
    head: 'Plan',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        <span className="table-second-line">{row.description}</span>
      </>
    ),
  },
  { key: 'price', head: 'Per month', align: 'end', cell: (row) => priceOf(row) },
  { key: 'agencies', head: 'Agencies', align: 'end', cell: (row) => formatNumber(row.subscriptions) },
  { key: 'clients', head: 'Clients', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.includedClients) },
  { key: 'seats', head: 'Seats', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.includedSeats) },
  { key: 'credits', head: 'Credits', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.monthlyCredits) },
  { key: 'state', head: 'State', hide: 'phone', cell: (row) => <Status mark={row.isActive ? 'ok' : 'skip'}>{stateOf(row)}</Status> },
];

function stateOf({ isActive, isPublic, isTrial }: StaffPlan): string {
  if (!isActive) return 'Retired';
  return `${isPublic ? 'Public' : 'Staff only'}${isTrial ? ', trial' : ''}`;
}
