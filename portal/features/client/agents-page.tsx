import { Link } from '@tanstack/react-router';
import { plural } from '../../ui/text/format.ts';
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
  const user = useUser();
  const agency = user.partner.name;
  useTitle('Agents', agency);
  useLiveClient();
  const agents = useLoaded(agentsQuery);
  return (
    <>
      <PageHead title="Your agents" lead={`What ${agency} has set up for ${user.client?.name ?? 'you'}.`} />
      {agents.length === 0 ? (
        <EmptyState title="No agents yet">
          Agents answer missed calls, remind people of visits and ask for reviews. They appear here once {agency} sets them up for you.
        </EmptyState>
      ) : null}
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
                <p className="tabular-nums pt-1 text-sm text-ink-3">{timesOf(agent)}</p>
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
function timesOf({ runs30d, failures30d }: { runs30d: number; failures30d: number }): string {
  const done = Math.max(0, runs30d - failures30d);
  if (runs30d === 0) return 'Not active in the last 30 days';
  return done === 0 ? 'No task done in the last 30 days' : `${plural(done, 'time')} in the last 30 days`;
}
