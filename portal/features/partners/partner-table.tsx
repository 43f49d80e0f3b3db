import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Reply } from '../../lib/client.ts';
import { formatNumber } from '../../lib/format.ts';
import { INSTANCE } from '../../lib/words.ts';
import { Status } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { type Column, Table, TableFoot } from '../../ui/table.tsx';
import { type PartnerFilters, partnersQuery } from './queries.ts';

type Partner = Reply<'listPartners'>['data'][number];

/** All agencies: plan, how their automation does, how much they run. */
export function PartnerTable({ filters }: { filters: PartnerFilters }) {
  const list = useInfiniteQuery(partnersQuery(filters));
  const navigate = useNavigate();
  if (list.error) return <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={8} label="Loading partners" />;
  const rows = list.data.pages.flatMap((page) => page.data);
  if (rows.length === 0) return <NoPartners filters={filters} />;
  return (
    <Table
      label="Partners"
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.id}
      onOpen={(row) => void navigate({ to: '/admin/partners/$partnerId', params: { partnerId: row.id } })}
      foot={
        <TableFoot
          shown={rows.length}
          hasMore={list.hasNextPage}
          isLoading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
          canOpen
        />
      }
    />
  );
}

const COLUMNS: Column<Partner>[] = [
  {
    key: 'name',
    head: 'Partner',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/admin/partners/$partnerId" params={{ partnerId: row.id }}>
          {row.name}
        </Link>
        <span className="sub phone-sub">
          {INSTANCE[row.automationStatus].word}, {row.planName ?? 'no plan'}
        </span>
      </>
    ),
  },
  { key: 'plan', head: 'Plan', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.planName ?? '–'}</span> },
  {
    key: 'account',
    head: 'Account',
    hide: 'phone',
    cell: (row) => (row.status === 'active' ? <span className="text-ink-2">Active</span> : <span className="text-warn">Suspended</span>),
  },
  {
    key: 'automation',
    head: 'Automation',
    hide: 'phone',
    cell: (row) => (
      <Status mark={INSTANCE[row.automationStatus].mark} {...(row.automationStatus === 'failed' ? { tone: 'bad' as const } : {})}>
        {INSTANCE[row.automationStatus].word}
      </Status>
    ),
  },
  { key: 'clients', head: 'Clients', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.clients) },
  { key: 'agents', head: 'Agents', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.agents) },
  { key: 'runs', head: 'Runs 7 d', align: 'end', cell: (row) => formatNumber(row.runs7d) },
  {
    key: 'failures',
    head: 'Failed',
    align: 'end',
    hide: 'phone',
    cell: (row) =>
      row.failures7d ? <span className="text-bad">{formatNumber(row.failures7d)}</span> : <span className="text-ink-3">0</span>,
  },
  {
    key: 'usage',
    head: 'Credits used',
    align: 'end',
    hide: 'phone',
    cell: (row) => <span className={row.usagePercent >= 80 ? 'text-warn' : 'text-ink-2'}>{Math.round(row.usagePercent)}%</span>,
  },
];

function NoPartners({ filters }: { filters: PartnerFilters }) {
  const isFiltered = filters.q || filters.status || filters.automationStatus;
  if (!isFiltered)
    return (
      <EmptyState title="No partners yet">
        Each agency appears here with its plan, its automation and its runs. Create the first one with the button above.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No partner matches"
      actions={
        <Link to="/admin/partners" className="lnk">
          Clear the filters
        </Link>
      }
    >
      Nothing fits {filters.q ? `“${filters.q}”` : 'these filters'}.
    </EmptyState>
  );
}
