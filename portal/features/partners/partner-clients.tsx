import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { formatNumber } from '../../ui/text/format.ts';
import { HEALTH } from '../../shared/labels.ts';
import { Badge, Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ClientDrawer } from './client-drawer.tsx';
import type { SearchChange } from '../../app/search-state.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { type PartnerClient, partnerClientPagesQuery } from './queries.ts';
import '../../ui/table/table.css';

export type PartnerClientSearch = { q?: string | undefined; client?: string | undefined };
type Props = { partnerId: string; search: PartnerClientSearch; onSearch: (change: SearchChange<PartnerClientSearch>) => void };

/** The clients of one partner, for staff. */
export function PartnerClients({ partnerId, search, onSearch }: Props) {
  const list = useInfiniteQuery(partnerClientPagesQuery(partnerId, search.q));
  const onText = useCallback((q: string | undefined) => onSearch({ q, client: undefined }), [onSearch]);
  const close = useCallback(() => onSearch({ client: undefined }), [onSearch]);
  return (
    <>
      <FilteredList
        search={search}
        onSearch={onSearch}
        filters={['q']}
        text={{ value: search.q, onText }}
        placeholder="Filter by name"
        none={<EmptyState title="No clients yet">Clients appear here once the agency adds them on its Clients page.</EmptyState>}
        noMatch="client"
        list={list}
        label="Clients"
        columns={CLIENT_COLUMNS}
        rowKey={(row) => row.id}
        onOpen={(row) => onSearch({ client: row.id })}
        openKey={search.client}
      />
      {search.client ? <ClientDrawer partnerId={partnerId} clientId={search.client} onClose={close} /> : null}
    </>
  );
}

export const CLIENT_COLUMNS: Column<PartnerClient>[] = [
  {
    key: 'name',
    head: 'Client',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        {row.industry ? <span className="table-second-line">{row.industry}</span> : null}
        <span className="table-second-line table-phone-line">{row.counts.agents === 0 ? 'No agents' : HEALTH[row.health].word}</span>
      </>
    ),
  },
  {
    key: 'status',
    head: 'Account',
    hide: 'phone',
    cell: (row) =>
      row.status === 'active' ? (
        <span className="text-ink-2">Active</span>
      ) : (
        <Badge mark="pause">{row.status === 'suspended' ? 'Suspended' : 'Archived'}</Badge>
      ),
  },
  {
    key: 'health',
    head: 'Agent health',
    hide: 'phone',
    cell: (row) =>
      row.counts.agents === 0 ? (
        <span className="text-ink-3">–</span>
      ) : (
        <Status mark={HEALTH[row.health].mark}>{HEALTH[row.health].word}</Status>
      ),
  },
  { key: 'agents', head: 'Agents', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.agents) },
  { key: 'runs', head: 'Runs 30 d', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.runs30d) },
  {
    key: 'failed',
    head: 'Failed',
    align: 'end',
    hide: 'phone',
    cell: (row) =>
      row.counts.failures30d ? (
        <span className="text-bad">{formatNumber(row.counts.failures30d)}</span>
      ) : (
        <span className="text-ink-3">0</span>
      ),
  },
  { key: 'last', head: 'Last activity', align: 'end', cell: (row) => <Time iso={row.lastActivityAt} className="text-ink-2" /> },
];
