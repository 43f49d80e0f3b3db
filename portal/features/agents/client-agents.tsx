import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentsQuery } from '../../lib/agents.ts';
import type { Client } from '../../lib/clients.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TableFoot } from '../../ui/table.tsx';
import { AgentTable } from './agent-table.tsx';

/** The agents that work for one client. */
export function ClientAgents({ client }: { client: Client }) {
  const list = useInfiniteQuery(agentsQuery({ client: client.id }));
  if (list.error) return <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={5} label="Loading agents" />;
  const rows = list.data.pages.flatMap((page) => page.data);
  if (rows.length === 0)
    return (
      <EmptyState
        title="No agents yet"
        actions={
          <Link to="/dashboard/catalog" search={{ client: client.id }} className={buttonClass('default', 'sm')}>
            See what fits {client.name}
          </Link>
        }
      >
        Agents of {client.name} appear here once your platform team has added them.
      </EmptyState>
    );
  return (
    <AgentTable
      rows={rows}
      withoutClient
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
