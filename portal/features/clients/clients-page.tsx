import { AGENT_HEALTH } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { useUser } from '../../app/session.ts';
import { activityColumn, useActivity } from '../../shared/activity-column.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { HEALTH } from '../../shared/labels.ts';
import { Badge, Status } from '../../ui/feedback/badge.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { useTableView } from '../../ui/table/table-tools.tsx';
import { Time } from '../../ui/text/time.tsx';
import { AddClientButton } from './add-client.tsx';
import { type Client, type ClientSearch, clientsQuery } from '../../queries/clients.ts';
import '../../ui/table/table.css';

type Props = { filters: ClientSearch; onChange: (change: SearchChange<ClientSearch>) => void };

const CHOICES = [
  { key: 'agents', word: 'Agents' },
  { key: 'days', word: 'By day' },
  { key: 'runs', word: 'Runs' },
  { key: 'failed', word: 'Failed' },
  { key: 'ref', word: 'Your reference' },
  { key: 'last', word: 'Last activity' },
];
const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'archived', label: 'Archived' },
] as const;

/** The partner's clients. */
export function ClientsPage({ filters, onChange }: Props) {
  const user = useUser();
  useTitle('Clients', user.partner.name);
  const refusal = useRefusal('clients.create');
  const view = useTableView('clients');
  const navigate = useNavigate();
  const list = useInfiniteQuery(clientsQuery(filters));
  const rows = rowsOf(list);
  const activity = useActivity('clients', list, !view.hidden.includes('days'));
  const add = <AddClientButton />;
  return (
    <>
      <PageHeader
        title="Clients"
        meta={list.data ? `${plural(rows.length, 'client')}${list.hasNextPage ? ' shown' : ''}` : '\u00a0'}
        actions={
          <>
            <ExportButton name="clients" read={() => api.exportClients({ query: filters })} />
            {refusal ? (
              <Button icon={<Upload aria-hidden />} disabledReason={refusal}>
                Import
              </Button>
            ) : (
              <Link to="/dashboard/clients/import" className={buttonClass()}>
                <Upload aria-hidden />
                Import
              </Link>
            )}
            {add}
          </>
        }
      />
      <FilteredList
        search={filters}
        onSearch={onChange}
        filters={['status', 'health', 'q']}
        placeholder="Filter by name"
        chips={
          <>
            <FilterChip
              name="Agents"
              value={filters.health}
              options={AGENT_HEALTH.map((value) => ({ value, label: HEALTH[value].word }))}
              onChange={(health) => onChange({ health })}
            />
            <FilterChip name="Account" value={filters.status} options={STATUSES} onChange={(status) => onChange({ status })} />
          </>
        }
        saved="clients"
        view={view}
        hideable={CHOICES}
        none={
          <EmptyState title="No clients yet">
            Clients are the businesses you run agents for. Add your first one, or import them from a file.
          </EmptyState>
        }
        noMatch="client"
        list={list}
        label="Clients"
        columns={columnsOf(activityColumn(activity))}
        rowKey={(client) => client.id}
        onOpen={(client) => void navigate({ to: '/dashboard/clients/$id', params: { id: client.id } })}
      />
    </>
  );
}

function columnsOf(days: Column<Client>): Column<Client>[] {
  return COLUMNS.flatMap((column) => (column.key === 'runs' ? [days, column] : [column]));
}

const COLUMNS: Column<Client>[] = [
  {
    key: 'name',
    head: 'Client',
    lead: true,
    cell: (client) => (
      <>
        <Link to="/dashboard/clients/$id" params={{ id: client.id }}>
          {client.name}
        </Link>
        {client.status === 'active' ? null : (
          <span className="ml-2">
            <Badge mark="pause">{client.status === 'suspended' ? 'Suspended' : 'Archived'}</Badge>
          </span>
        )}
        <span className="table-second-line table-phone-line">
          {plural(client.counts.agents, 'agent')}, {HEALTH[client.health].word.toLowerCase()}
        </span>
      </>
    ),
  },
  {
    key: 'health',
    head: 'Agent health',
    hide: 'phone',
    cell: (client) =>
      client.counts.agents === 0 ? (
        <span className="text-ink-3">–</span>
      ) : (
        <Status mark={HEALTH[client.health].mark} {...(client.health === 'failing' ? { tone: 'bad' as const } : {})}>
          {HEALTH[client.health].word}
        </Status>
      ),
  },
  { key: 'agents', head: 'Agents', align: 'end', hide: 'phone', cell: (client) => number(client.counts.agents) },
  { key: 'runs', head: 'Runs 30 d', align: 'end', hide: 'phone', cell: (client) => number(client.counts.runs30d) },
  {
    key: 'failed',
    head: 'Failed',
    align: 'end',
    hide: 'phone',
    cell: (client) => (client.counts.failures30d ? <span className="text-bad">{formatNumber(client.counts.failures30d)}</span> : number(0)),
  },
  {
    key: 'ref',
    head: 'Your reference',
    hide: 'phone',
    cell: (client) =>
      client.externalRef ? <code className="text-ink-2">{client.externalRef}</code> : <span className="text-ink-3">–</span>,
  },
  { key: 'last', head: 'Last activity', align: 'end', cell: (client) => <Time iso={client.lastActivityAt} className="text-ink-2" /> },
];

function number(value: number) {
  return value ? formatNumber(value) : <span className="text-ink-3">0</span>;
}
