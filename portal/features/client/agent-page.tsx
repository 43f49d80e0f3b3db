import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { AgentSteps } from './agent-steps.tsx';
import { AgentState, AgentSwitch } from './agent-switch.tsx';
import { AgentTexts, AgentTimes } from './agent-texts.tsx';
import { Feed } from './feed.tsx';
import { MonthDays } from './month-days.tsx';
import { OwnSuggestions } from './own-suggestions.tsx';
import { PageHead } from './page-head.tsx';
import { RunNow } from './run-now.tsx';
import { type Agent, agentDaysQuery, agentQuery, agentRunsQuery } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/layout/section-header.css';

/** One agent for a client user: steps, texts and recent activity. Read only except for the switch and a run by hand. */
export function ClientAgentPage({ id }: { id: string }) {
  const { t } = useMessages();
  const user = useUser();
  const data = useLoaded(agentQuery(id));
  useTitle(data.name, user.partner.name);
  useLiveClient();
  const back = (
    <Link to="/client/agents" className="mb-3 inline-flex min-h-6 items-center gap-2 text-sm text-ink-2 hover:text-ink">
      <ArrowLeft className="icon-small" aria-hidden />
      {t('client.yourAgents')}
    </Link>
  );
  return (
    <>
      <PageHead
        back={back}
        title={data.name}
        lead={data.description}
        aside={
          <span className="flex flex-wrap items-center gap-4">
            <AgentSwitch agent={data} showWord />
            <RunNow agent={data} />
          </span>
        }
      />
      <div className="-mt-4 mb-8">
        <AgentState agent={data} />
      </div>
      <Attention agent={data} agency={user.partner.name} />
      <section className="mb-10">
        <div className="section-header !mb-4">
          <h2>{t('client.whatItDoes')}</h2>
        </div>
        <AgentSteps id={id} agency={user.partner.name} />
      </section>
      <Days agent={data} />
      <div className="grid gap-x-16 gap-y-10 rail:grid-cols-2">
        <section>
          <div className="section-header">
            <h2>{t('client.recentActivity')}</h2>
          </div>
          <Lately id={id} agency={user.partner.name} />
        </section>
        <div className="grid content-start gap-10">
          <AgentTexts agent={data} businessName={user.client?.name ?? ''} />
          <AgentTimes agent={data} />
          <OwnSuggestions agentId={id} />
        </div>
      </div>
    </>
  );
}

function Attention({ agent, agency }: { agent: Agent; agency: string }) {
  const { t } = useMessages();
  if (agent.missingConnections.length > 0)
    return (
      <div className="mb-8">
        <Note tone="warn">
          <p>
            <b>{t('client.serviceMissing')}</b>{' '}
            <Link to="/client/integrations" className="link">
              {t('client.seeIntegrations')}
            </Link>
          </p>
        </Note>
      </div>
    );
  if (agent.isActive && agent.health === 'failing')
    return (
      <div className="mb-8">
        <Note tone="bad">
          <p>
            <b>{t('client.tasksFailed')}</b> {t('client.seesDetails', { agency })}
          </p>
        </Note>
      </div>
    );
  return null;
}

/** Its part of the chart on the home page. Absent while it loads: the page is whole without it. */
function Days({ agent }: { agent: Agent }) {
  const { t } = useMessages();
  const { data } = useQuery(agentDaysQuery(agent.id));
  return data ? <MonthDays days={data} label={t('client-home.agent-days-label', { agent: agent.name })} /> : null;
}

function Lately({ id, agency }: { id: string; agency: string }) {
  const { t } = useMessages();
  const runs = useQuery(agentRunsQuery(id));
  return (
    <Loaded query={runs} className="pt-4" skeleton={<SkeletonRows rows={4} height={44} />}>
      {(latest) =>
        latest.length === 0 ? (
          <div className="pt-4">
            <EmptyState title={t('client.noActivity')}>{t('client.noAgentActivityHint')}</EmptyState>
          </div>
        ) : (
          <>
            <Feed runs={latest} agency={agency} />
            <p className="pt-4">
              <Link to="/client/activity" search={{ agent: id }} className="link">
                {t('client.allOfAgent')}
              </Link>
            </p>
          </>
        )
      }
    </Loaded>
  );
}
