import { useMessages } from '../../app/messages.ts';
import { Link } from '@tanstack/react-router';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { AgentState, AgentSwitch } from './agent-switch.tsx';
import { PageHead } from './page-head.tsx';
import { monthName } from './days.ts';
import { agentsQuery, homeQuery } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { useLoaded } from '../../app/route-data.ts';

/** All agents of this client. */
export function ClientAgentsPage() {
  const { t, tag } = useMessages();
  const user = useUser();
  const agency = user.partner.name;
  useTitle(t('client.agents'), agency);
  useLiveClient();
  const agents = useLoaded(agentsQuery);
  const { resultsOfAgents, byDay, now } = useLoaded(homeQuery);
  const month = monthName(byDay[0]?.date ?? now, tag);
  const resultsOf = (id: string): number => resultsOfAgents.find(({ workflowId }) => workflowId === id)?.count ?? 0;
  return (
    <>
      <PageHead title={t('client.yourAgents')} lead={t('client.agentsLead', { agency, client: user.client?.name ?? t('client.you') })} />
      {agents.length === 0 ? <EmptyState title={t('client.noAgents')}>{t('client.noAgentsHint', { agency })}</EmptyState> : null}
      {agents.length > 0 ? (
        <ul className="border-t border-line">
          {agents.map((agent) => (
            <li key={agent.id} className="flex items-start gap-4 border-b border-line-soft py-4">
              <span className="hidden sm:block">
                <TemplateIcon name={agent.icon} />
              </span>
              <div className="min-w-0 flex-1">
                <h2 className="text-lg">
                  <Link to="/client/agents/$id" params={{ id: agent.id }} className="hover:underline">
                    {agent.name}
                  </Link>
                </h2>
                <p className="max-w-prose pb-1.5 text-ink-2">{agent.description}</p>
                <AgentState agent={agent} />
                <p className="tabular-nums pt-1 text-sm text-ink-3">
                  {resultsOf(agent.id) === 0
                    ? t('client.noResultsIn', { month })
                    : t('client.resultsIn', { count: resultsOf(agent.id), month })}
                </p>
              </div>
              <AgentSwitch agent={agent} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
