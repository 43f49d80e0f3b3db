import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type StaffEndpoint, staffEndpointsQuery, staffFilters, type StaffSearch } from './queries.ts';
import { shortUrl, endpointStatus } from './labels.ts';
import { contactLink } from './contact-link.ts';
import '../../ui/table/table.css';

type Props = { search: StaffSearch; onSearch: (change: StaffSearch) => void };

/** Failing endpoints of all partners, so that staff can contact their owners. */
export function StaffEndpointsPage({ search, onSearch }: Props) {
  useTitle('Deliveries');
  const list = useInfiniteQuery(staffEndpointsQuery(search));
  return (
    <>
      <PageHeader
        title="Deliveries"
        meta={search.show === 'all' ? 'Webhook endpoints of all agencies' : 'Webhook endpoints whose newest deliveries failed'}
        actions={
          <>
            <SavedFilters table="deliveries" keys={['show', 'partner']} />
            <ExportButton name="webhook-endpoints" read={() => api.exportWebhookEndpoints({ query: staffFilters(search) })} />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segmented
          label="Which endpoints"
          value={search.show ?? 'failing'}
          onChange={(show) => onSearch({ show: show === 'all' ? 'all' : undefined })}
          options={[
            { value: 'failing', label: 'Failing' },
            { value: 'all', label: 'All' },
          ]}
        />
        {search.partner ? (
          <button type="button" className="link" onClick={() => onSearch({ partner: undefined })}>
            One agency. Show all
          </button>
        ) : null}
      </div>
      <PagedTable
        list={list}
        empty={<Nothing isAll={search.show === 'all'} />}
        expected={6}
        label="Endpoints"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        dense
      />
    </>
  );
}

function Nothing({ isAll }: { isAll: boolean }) {
  return isAll ? (
    <EmptyState title="No agency has an endpoint">Endpoints appear here once agencies add them in their settings.</EmptyState>
  ) : (
    <EmptyState title="No endpoint is failing">
      An endpoint appears here when its newest deliveries fail, with a contact who can fix it.
    </EmptyState>
  );
}

const COLUMNS: Column<StaffEndpoint>[] = [
  {
    key: 'partner',
    head: 'Partner',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/admin/partners/$partnerId" params={{ partnerId: row.partnerId }}>
          {row.partnerName}
        </Link>
        <span className="table-second-line table-phone-line">{shortUrl(row.url)}</span>
      </>
    ),
  },
  {
    key: 'url',
    head: 'Endpoint',
    hide: 'phone',
    cell: (row) => (
      <code className="inline-block max-w-65 truncate align-middle text-ink-2" title={row.url}>
        {shortUrl(row.url)}
      </code>
    ),
  },
  {
    key: 'state',
    head: 'State',
    hide: 'phone',
    cell: (row) => {
      const { mark, word, tone } = endpointStatus(row);
      return (
        <Status mark={mark} {...(tone ? { tone } : {})}>
          {word}
          {row.lastDelivery ? (
            <>
              , <Time iso={row.lastDelivery.at} />
            </>
          ) : null}
        </Status>
      );
    },
  },
  { key: 'delivered', head: 'Delivered 24 h', align: 'end', hide: 'phone', cell: (row) => <Count value={row.delivered24h} /> },
  { key: 'failed', head: 'Failed 24 h', align: 'end', hide: 'phone', cell: (row) => <Count value={row.failed24h} isBad /> },
  { key: 'pending', head: 'Waiting', align: 'end', hide: 'phone', cell: (row) => <Count value={row.pending} /> },
  {
    key: 'contact',
    head: <span className="sr-only">Contact</span>,
    align: 'end',
    cell: (row) =>
      row.contactEmail ? (
        <a href={contactLink(row.contactEmail, row)} className={buttonClass('default', 'sm')} title={row.contactEmail}>
          Contact
        </a>
      ) : (
        <span className="text-ink-3">no contact</span>
      ),
  },
];

function Count({ value, isBad }: { value: number; isBad?: boolean }) {
  return <span className={value === 0 ? 'text-ink-3' : isBad ? 'text-bad' : ''}>{formatNumber(value)}</span>;
}
