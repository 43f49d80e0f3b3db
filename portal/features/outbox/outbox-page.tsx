import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { codeOf } from '../../app/errors.ts';
import { formatPhone } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { CallDrawer } from './call-drawer.tsx';
import { nameOf, SENDERS } from './provider-name.ts';
import { type Call, type OutboxFilters, outboxQuery } from './queries.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { describeCall, receiverOf } from './read-call.ts';
import '../../ui/table/table.css';

export type OutboxSearch = OutboxFilters & { call?: string | undefined };
type Props = { search: OutboxSearch; onSearch: (change: SearchChange<OutboxSearch>) => void };

const CHOICES = SENDERS.map((provider) => ({ value: provider, label: nameOf(provider) }));

/** Calls that agents made to external services, captured by the sandbox. */
export function OutboxPage({ search, onSearch }: Props) {
  useTitle('Outbox');
  const list = useInfiniteQuery(outboxQuery(search));
  const onText = useCallback((q: string | undefined) => onSearch({ q, call: undefined }), [onSearch]);
  const close = useCallback(() => onSearch({ call: undefined }), [onSearch]);
  return (
    <>
      <PageHeader title="Outbox" meta="Calls captured by the sandbox. None of them left this machine." />
      {codeOf(list.error) === 'not_found' ? (
        <EmptyState title="The provider sandbox is off">
          Agents call the real services, so there is nothing to show here. It is on only where PROVIDER_SANDBOX is true.
        </EmptyState>
      ) : (
        <FilteredList
          search={search}
          onSearch={onSearch}
          filters={['provider', 'q']}
          text={{ value: search.q, onText }}
          placeholder="Filter by text or number"
          chips={
            <FilterChip
              name="Service"
              value={search.provider}
              options={CHOICES}
              onChange={(provider) => onSearch({ provider, call: undefined })}
            />
          }
          none={
            <EmptyState title="Nothing sent yet">Texts, e-mails and language model prompts appear here as agents send them.</EmptyState>
          }
          noMatch="call"
          list={list}
          label="Outbox"
          columns={COLUMNS}
          rowKey={(row) => row.id}
          onOpen={(row) => onSearch({ call: row.id })}
          openKey={search.call}
          dense
        />
      )}
      <CallDrawer call={rowsOf(list).find((row) => row.id === search.call)} onClose={close} />
    </>
  );
}

const COLUMNS: Column<Call>[] = [
  { key: 'provider', head: 'Service', cell: (row) => nameOf(row.provider) },
  {
    key: 'what',
    head: 'What',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium max-md:line-clamp-2" title={describeCall(row)}>
          {describeCall(row)}
        </span>
        <span className="table-second-line table-phone-line">{formatPhone(receiverOf(row))}</span>
      </>
    ),
  },
  { key: 'to', head: 'To', hide: 'phone', cell: (row) => <span className="text-ink-2">{formatPhone(receiverOf(row)) || '–'}</span> },
  {
    key: 'answer',
    head: 'Response',
    hide: 'phone',
    cell: (row) => (
      <Status mark={row.status < 400 ? 'ok' : 'bad'} {...(row.status < 400 ? {} : { tone: 'bad' as const })}>
        {row.status}
      </Status>
    ),
  },
  { key: 'at', head: 'When', align: 'end', cell: (row) => <Time iso={row.at} className="text-ink-2" /> },
];
