import type { Messages } from '@partner-portal/messages/messages.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { stopListQuery, type StopListEntry } from './queries.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { formatDay, formatUtc } from '../../ui/text/format.ts';
import { AddContact } from './add-contact.tsx';
import { RemoveContact } from './remove-contact.tsx';
import '../../ui/table/table.css';

/** The contacts whom no agent of a client writes to; `clientName`: for its agency, which sees the runs that brought them. */
export function StopList({ clientId, clientName }: { clientId: string; clientName?: string }) {
  const { t } = useMessages();
  const [q, setQ] = useState<string>();
  const list = useInfiniteQuery(stopListQuery(clientId, q));
  return (
    <>
      {clientName === undefined ? null : (
        <p className="mb-4 max-w-prose text-ink-2 text-pretty">{t('stop-list.lead-agency', { name: clientName })}</p>
      )}
      <FilterBar
        text={q}
        onText={setQ}
        placeholder={t('stop-list.search')}
        chips={<AddContact clientId={clientId} />}
        tools={
          <ExportButton
            size="sm"
            word={t('stop-list.export')}
            name="stop-list"
            read={() => api.exportStopList({ params: { id: clientId }, query: { q } })}
          />
        }
      />
      <PagedTable
        list={list}
        expected={4}
        empty={
          q === undefined ? (
            <EmptyState title={t('stop-list.none')}>{t('stop-list.none-text')}</EmptyState>
          ) : (
            <NoMatch title={t('stop-list.no-match')} q={q} onClear={() => setQ(undefined)} />
          )
        }
        label={t('stop-list.title')}
        columns={columnsFor(t, clientId, clientName !== undefined)}
        rowKey={(row) => row.id}
      />
    </>
  );
}

function columnsFor(t: Messages['t'], clientId: string, isAgency: boolean): Column<StopListEntry>[] {
  return [
    {
      key: 'contact',
      head: t('stop-list.contact'),
      lead: true,
      cell: (row) => (
        <>
          <span className="tabular-nums font-medium">{row.contact}</span>
          {row.isOfAgency ? <span className="text-ink-3"> · {t('stop-list.of-agency')}</span> : null}
          <span className="table-second-line table-phone-line">{reasonOf(t, row)}</span>
          {row.note === null ? null : <span className="table-second-line">{row.note}</span>}
        </>
      ),
    },
    {
      key: 'why',
      head: t('stop-list.why'),
      hide: 'phone',
      cell: (row) => (
        <span className="text-ink-2">
          {reasonOf(t, row)}
          {row.executionId === null ? null : isAgency ? (
            <>
              {' · '}
              <Link to="/dashboard/runs/$id" params={{ id: row.executionId }} className="link">
                {row.agentName ?? t('stop-list.run')}
              </Link>
            </>
          ) : row.agentName === null ? null : (
            ` · ${row.agentName}`
          )}
        </span>
      ),
    },
    {
      key: 'since',
      head: t('stop-list.since'),
      align: 'end',
      hide: 'phone',
      cell: (row) => (
        <time className="text-ink-2" dateTime={row.createdAt} title={formatUtc(row.createdAt)}>
          {formatDay(row.createdAt)}
        </time>
      ),
    },
    {
      key: 'acts',
      head: <span className="sr-only">{t('stop-list.actions')}</span>,
      align: 'end',
      cell: (row) => <RemoveContact clientId={clientId} entry={row} />,
    },
  ];
}

function reasonOf(t: Messages['t'], { reason, addedByName }: StopListEntry): string {
  const words = t(`stop-list.reason-${reason}`);
  return addedByName === null ? words : t('stop-list.by', { reason: words, name: addedByName });
}
