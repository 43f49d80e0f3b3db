import type { Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { Link } from '@tanstack/react-router';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { AgentState, AgentSwitch } from './agent-switch.tsx';
import { PageHead } from './page-head.tsx';
import { agentsQuery } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { useLoaded } from '../../app/route-data.ts';

/** All agents of this client. */
export function ClientAgentsPage() {
  const { t } = useMessages();
  const user = useUser();
  const agency = user.partner.name;
  useTitle(t('client.agents'), agency);
  useLiveClient();
  const agents = useLoaded(agentsQuery);
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
                <p className="max-w-[65ch] pb-1.5 text-ink-2">{agent.description}</p>
                <AgentState agent={agent} />
                <p className="tabular-nums pt-1 text-sm text-ink-3">{timesOf(agent, t)}</p>
              </div>
              <AgentSwitch agent={agent} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** A run that failed helped no one. */
function timesOf({ runs30d, failures30d }: { runs30d: number; failures30d: number }, t: Messages['t']): string {
  const done = Math.max(0, runs30d - failures30d);
  if (runs30d === 0) return t('client.notActive30');
  return done === 0 ? t('client.noTask30') : t('client.times30', { count: done });
}
