import { createFileRoute } from '@tanstack/react-router';
import { AgentPage } from '../../../features/agents/agent-page.tsx';
import { AGENT_TABS, type AgentTab } from '../../../queries/agents.ts';
import { AgentRunsTab } from '../../../features/runs/agent-runs.tsx';
import { choiceParam, idParam, onlySet } from '../../../app/search-params.ts';

type Search = { tab?: AgentTab | undefined; outcome?: 'accepted' | 'refused' | undefined; event?: string | undefined };

export const Route = createFileRoute('/dashboard/agents/$id')({
  validateSearch: (search: Record<string, unknown>): Search =>
    onlySet({
      tab: choiceParam(AGENT_TABS, search.tab),
      outcome: choiceParam(['accepted', 'refused'], search.outcome),
      event: idParam(search.event),
    }),
  component: Agent,
});

function Agent() {
  const { id } = Route.useParams();
  const { tab = 'settings', outcome, event } = Route.useSearch();
  return <AgentPage key={id} id={id} tab={tab} outcome={outcome} event={event} runs={(agent) => <AgentRunsTab agent={agent} />} />;
}
