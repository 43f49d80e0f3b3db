import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { PagedTable } from '../../shared/paged-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type ChatbotListItem, chatbotsQuery } from '../../queries/chatbot.ts';
import { BudgetPanel } from './budget-panel.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import '../../ui/table/table.css';

/** All clients with the state of their chatbots. */
export function ChatbotList() {
  const list = useInfiniteQuery(chatbotsQuery);
  const navigate = useNavigate();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose text-ink-2">
          Each client has one chatbot for its website. Open a client to write what its chatbot knows, to try it, and to turn it on.
        </p>
        <ExportButton size="sm" name="chatbots" read={() => api.exportChatbots({})} />
      </div>
      <div className="max-w-form">
        <BudgetPanel clientId={undefined} />
      </div>
      <PagedTable
        list={list}
        label="Chatbots"
        columns={COLUMNS}
        rowKey={(row) => row.clientId}
        onOpen={(row) => void navigate({ to: '/dashboard/clients/$id', params: { id: row.clientId }, search: { tab: 'chatbot' } })}
        empty={
          <EmptyState
            title="No clients yet"
            actions={
              <Link to="/dashboard/clients" className={buttonClass('primary')}>
                Add a client
              </Link>
            }
          >
            A chatbot belongs to a client. Add the client first; its chatbot appears here.
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: Column<ChatbotListItem>[] = [
  {
    key: 'client',
    head: 'Client',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/dashboard/clients/$id" params={{ id: row.clientId }} search={{ tab: 'chatbot' }}>
          {row.clientName}
        </Link>
        <span className="table-second-line table-phone-line">{stateOf(row).word}</span>
      </>
    ),
  },
  { key: 'name', head: 'Name', hide: 'phone', cell: (row) => row.name ?? <span className="text-ink-3">–</span> },
  {
    key: 'state',
    head: 'State',
    hide: 'phone',
    cell: (row) => {
      const { mark, word } = stateOf(row);
      return <Status mark={mark}>{word}</Status>;
    },
  },
  { key: 'passages', head: 'Passages', align: 'end', hide: 'phone', cell: (row) => number(row.passages) },
  { key: 'routes', head: 'Agents', align: 'end', hide: 'phone', cell: (row) => number(row.agentRoutes) },
  { key: 'sites', head: 'Sites', align: 'end', hide: 'phone', cell: (row) => number(row.sites) },
  {
    key: 'changed',
    head: 'Changed',
    align: 'end',
    cell: (row) => (row.updatedAt ? <Time iso={row.updatedAt} className="text-ink-2" /> : <span className="text-ink-3">–</span>),
  },
];

function stateOf(row: ChatbotListItem): { mark: 'ok' | 'pause' | 'warn' | 'none'; word: string } {
  if (row.id === null) return { mark: 'none', word: 'Not set up' };
  if (!mayClientRunAgents(row.clientStatus)) return { mark: 'pause', word: `Client ${row.clientStatus}` };
  if (!row.isActive) return { mark: 'pause', word: 'Off' };
  if (row.sites === 0) return { mark: 'warn', word: 'On, no website' };
  return row.passages === 0 ? { mark: 'warn', word: 'On, knows nothing' } : { mark: 'ok', word: 'On' };
}

function number(value: number) {
  return value ? formatNumber(value) : <span className="text-ink-3">0</span>;
}
