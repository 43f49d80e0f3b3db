import { createFileRoute, Link } from '@tanstack/react-router';
import { ClientAgentPage } from '../../../features/client/agent-page.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { agentQuery } from '../../../features/client/queries.ts';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/agents/$id')({
  loader: ({ params, preload }) => loadQueries(preload, agentQuery(params.id)),
  pendingComponent: () => <SkeletonRows rows={6} height={52} label="Loading the agent" />,
  errorComponent: AgentMissing,
  notFoundComponent: () => <AgentMissing />,
  component: Agent,
});

function Agent() {
  return <ClientAgentPage id={Route.useParams().id} />;
}

function AgentMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="agent">
      <Link to="/client/agents" className={buttonClass()}>
        Your agents
      </Link>
    </PageError>
  );
}
