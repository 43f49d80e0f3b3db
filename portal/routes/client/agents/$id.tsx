import { useMessages } from '../../../app/messages.ts';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ClientAgentPage } from '../../../features/client/agent-page.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { agentQuery } from '../../../features/client/queries.ts';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/agents/$id')({
  loader: ({ params, preload }) => loadQueries(preload, agentQuery(params.id)),
  pendingComponent: () => <SkeletonRows rows={6} height={52} />,
  errorComponent: AgentMissing,
  notFoundComponent: () => <AgentMissing />,
  component: Agent,
});

function Agent() {
  return <ClientAgentPage id={Route.useParams().id} />;
}

function AgentMissing(props: { error?: unknown; reset?: () => void }) {
  const { t } = useMessages();
  return (
    <PageError {...props} titles={{ notFound: t('client.agentNotFound'), notLoaded: t('client.agentNotLoaded') }}>
      <Link to="/client/agents" className={buttonClass()}>
        {t('client.yourAgents')}
      </Link>
    </PageError>
  );
}
