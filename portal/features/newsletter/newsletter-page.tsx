import { SUBSCRIBER_STATUSES, type SubscriberStatus } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { SearchChange } from '../../app/search-state.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { type Subscriber, type SubscriberFilters, subscribersQuery } from './queries.ts';
import '../../ui/table/table.css';

type Props = { search: SubscriberFilters; onSearch: (change: SearchChange<SubscriberFilters>) => void };

const STATUS = {
  pending: { mark: 'wait', word: 'Not confirmed' },
  confirmed: { mark: 'ok', word: 'Confirmed' },
  unsubscribed: { mark: 'pause', word: 'Unsubscribed' },
} as const satisfies Record<SubscriberStatus, { mark: string; word: string }>;
const CHOICES = SUBSCRIBER_STATUSES.map((value) => ({ value, label: STATUS[value].word }));

/** Who asked for the newsletter. Issues are sent elsewhere, with the exported addresses. */
export function NewsletterPage({ search, onSearch }: Props) {
  useTitle('Newsletter');
  const list = useInfiniteQuery(subscribersQuery(search));
  return (
    <>
      <PageHeader
        title="Newsletter"
        meta="People who asked for it on the start page or with their application"
        actions={<ExportButton name="newsletter" read={() => api.exportSubscribers({ query: search })} />}
      />
      <FilteredList
        search={search}
        onSearch={onSearch}
        filters={['q', 'status']}
        placeholder="E-mail"
        chips={<FilterChip name="State" value={search.status} options={CHOICES} onChange={(status) => onSearch({ status })} />}
        saved="subscribers"
        none={
          <EmptyState title="No one has subscribed yet">
            Subscribers appear here when they fill in the form on the start page or tick the box of the application.
          </EmptyState>
        }
        noMatch="subscriber"
        list={list}
        label="Subscribers"
        columns={COLUMNS}
        rowKey={(row) => row.id}
      />
    </>
  );
}

const COLUMNS: Column<Subscriber>[] = [
  {
    key: 'email',
    head: 'E-mail',
    lead: true,
    cell: (row) => (
      <>
        {row.email === null ? <span className="text-ink-3">Erased</span> : <span className="font-medium">{row.email}</span>}
        <span className="table-second-line table-phone-line">{STATUS[row.status].word}</span>
      </>
    ),
  },
  { key: 'status', head: 'State', hide: 'phone', cell: (row) => <Status mark={STATUS[row.status].mark}>{STATUS[row.status].word}</Status> },
  {
    key: 'consent',
    head: 'Agreed to',
    hide: 'phone',
    cell: (row) => (
      <span title={row.consentText} className="text-ink-2">
        Text {row.textVersion}, {row.source}
      </span>
    ),
  },
  { key: 'requested', head: 'Requested', align: 'end', cell: (row) => <Time iso={row.requestedAt} className="text-ink-2" /> },
  {
    key: 'confirmed',
    head: 'Confirmed',
    align: 'end',
    hide: 'phone',
    cell: (row) => <Time iso={row.confirmedAt} className="text-ink-2" />,
  },
  {
    key: 'unsubscribed',
    head: 'Unsubscribed',
    align: 'end',
    hide: 'phone',
    cell: (row) => <Time iso={row.unsubscribedAt} className="text-ink-2" />,
  },
];
