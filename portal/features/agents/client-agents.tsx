import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentsQuery } from '../../queries/agents.ts';
import type { Client } from '../../queries/clients.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { useAgentTable } from './agent-table.tsx';

/** The agents of one client. */
export function ClientAgents({ client }: { client: Client }) {
  const table = useAgentTable(useInfiniteQuery(agentsQuery({ client: client.id })), { withoutClient: true });
  return (
    <PagedTable
      {...table}
      empty={
        <EmptyState
          title="No agents yet"
          actions={
            <Link to="/dashboard/catalog" search={{ client: client.id }} className={buttonClass('default', 'sm')}>
              See what fits {client.name}
            </Link>
          }
        >
          Agents for {client.name} appear here once your platform team adds them.
        </EmptyState>
      }
    />
  );
}
