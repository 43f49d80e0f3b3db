import { createFileRoute, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AgentPage } from '../../../features/agents/agent-page.tsx';
import { AGENT_TABS, agentCountsQuery, agentQuery, inboundQuery, STOP_SETTINGS, workflowQuery } from '../../../queries/agents.ts';
import { SendToPhone } from '../../../features/phone/send-to-phone.tsx';
import { AgentRunsTab } from '../../../features/runs/agent-runs.tsx';
import { idParam, oneOf, searchParser } from '../../../app/search-params.ts';
import { loadQueries, startMissing, startQueries } from '../../../app/route-data.ts';
import { PageError } from '../../../shared/page-error.tsx';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { PageSkeleton } from '../../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../../ui/feedback/skeleton.tsx';

const parseSearch = searchParser({
  tab: oneOf(AGENT_TABS),
  outcome: oneOf(['accepted', 'refused']),
  event: idParam,
  field: oneOf(STOP_SETTINGS),
});

export const Route = createFileRoute('/dashboard/agents/$id')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { tab, outcome } }) => ({ tab, outcome }),
  loader: ({ params, deps, preload }) => {
    startMissing(preload, agentCountsQuery(params.id));
    if (deps.tab === 'inbound') startQueries(preload, inboundQuery(params.id, deps.outcome));
    return loadQueries(preload, agentQuery(params.id), workflowQuery(params.id));
  },
  pendingComponent: () => (
    <PageSkeleton title="Agent">
      <SkeletonBlock height={420} />
    </PageSkeleton>
  ),
  errorComponent: AgentMissing,
  notFoundComponent: () => <AgentMissing />,
  component: Agent,
});

function Agent() {
  const { id } = Route.useParams();
  const { tab = 'settings', outcome, event, field } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onField = useCallback(() => void navigate({ search: (search) => ({ ...search, field: undefined }), replace: true }), [navigate]);
  return (
    <AgentPage
      id={id}
      tab={tab}
      outcome={outcome}
      event={event}
      field={field}
      onField={onField}
      runs={(agent) => <AgentRunsTab agent={agent} />}
      phone={(agent, workflow, isChanged) => <SendToPhone agent={agent} workflow={workflow} isChanged={isChanged} />}
    />
  );
}

function AgentMissing(props: { error?: unknown; reset?: () => void }) {
  return (
    <PageError {...props} thing="agent">
      <Link to="/dashboard/agents" className={buttonClass()}>
        All agents
      </Link>
    </PageError>
  );
}
