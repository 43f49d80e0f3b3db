import { useMessages } from '../../../app/messages.ts';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ClientAgentPage } from '../../../features/client/agent-page.tsx';
import { loadQueries, startMissing } from '../../../app/route-data.ts';
import { agentDaysQuery, agentQuery, agentRunsQuery, businessQuery, stepsQuery } from '../../../features/client/queries.ts';
import { textSuggestionsQuery } from '../../../queries/text-suggestions.ts';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/agents/$id')({
  loader: ({ params: { id }, preload }) => {
    startMissing(preload, stepsQuery(id), agentDaysQuery(id), agentRunsQuery(id), textSuggestionsQuery({ agentId: id }), businessQuery);
    return loadQueries(preload, agentQuery(id));
  },
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
