import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { formatNumber, joinWords } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { AgentBadge } from '../../shared/agent-state.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { PageHeader, TabCount, Tabs } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import { VersionBadge } from '../../shared/agent-figures.tsx';
import { CopyAgents } from './copy-agent.tsx';
import { ConnectTab } from './connect-tab.tsx';
import { DeleteAgent } from './delete-agent.tsx';
import { InboundTab } from './inbound-tab.tsx';
import {
  type Agent,
  type AgentCounts,
  agentCountsQuery,
  agentQuery,
  type AgentTab,
  missingSettingNames,
  type Workflow,
  workflowQuery,
} from '../../queries/agents.ts';
import { ScheduleTab } from './schedule-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { SendTest } from './send-test.tsx';
import { useDraft } from './use-draft.ts';
import { WhatItDoes } from './what-it-does.tsx';
import { useLoaded } from '../../app/route-data.ts';
import { LeaveGuard } from '../../shared/forms/leave-guard.tsx';
import { Part } from '../../shared/part.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

/** The tab is a search parameter; without it the first tab is active. */
const EXACT = { explicitUndefined: true };

type Props = {
  id: string;
  tab: AgentTab;
  outcome: 'accepted' | 'refused' | undefined;
  event: string | undefined;
  /** The setting to begin with, asked for by another page; `onField` is called once it has the focus. */
  field: string | undefined;
  onField: () => void;
  runs: (agent: Agent) => ReactNode;
  /** Sends the agent's text to the reader's phone. */
  phone: (agent: Agent, workflow: Workflow, isChanged: boolean) => ReactNode;
};

/** One agent: settings with a message preview, steps, executions and how to connect. */
export function AgentPage(props: Props) {
  return <AgentView {...props} agent={useLoaded(agentQuery(props.id))} />;
}

function AgentView({ agent, tab, outcome, event, field, onField, runs, phone }: Props & { agent: Agent }) {
  const user = useUser();
  const workflow = useLoaded(workflowQuery(agent.id));
  const counts = useQuery(agentCountsQuery(agent.id)).data;
  const state = useDraft(agent);
  useTitle(agent.name, user.partner.name);
  useBreadcrumb(agent.name);
  const params = { id: agent.id };
  return (
    <>
      <PageHeader
        title={agent.name}
        badge={
          <>
            <AgentBadge agent={agent} />
            {agent.templateVersion === null ? null : <VersionBadge agent={agent} />}
          </>
        }
        meta={
          <>
            {agent.description.replace(/\.$/, '')}
            {agent.clientId ? (
              <>
                , for{' '}
                <Link className="link" to="/dashboard/clients/$id" params={{ id: agent.clientId }}>
                  {agent.clientName}
                </Link>
              </>
            ) : null}
          </>
        }
        actions={
          <>
            <span className="mr-2">
              <AgentSwitch agent={agent} showWord />
            </span>
            <CopyAgents agents={[agent]} />
            <SendTest agent={agent} workflow={workflow} />
            {phone(agent, workflow, state.isChanged)}
          </>
        }
      />
      <Missing agent={agent} />
      {/* The form is gone while another tab is open. */}
      {tab === 'settings' ? null : <LeaveGuard isAtRisk={() => state.isChanged} outlivesTabs />}
      <Tabs label="Agent">
        <Link to="/dashboard/agents/$id" params={params} search={{ tab: undefined }} activeOptions={EXACT}>
          Settings
        </Link>
        <Link to="/dashboard/agents/$id" params={params} search={{ tab: 'runs' }} activeOptions={EXACT}>
          Runs<TabCount>{formatNumber(agent.runs30d)}</TabCount>
        </Link>
        <Link to="/dashboard/agents/$id" params={params} search={{ tab: 'inbound' }} activeOptions={EXACT}>
          Inbound{counts ? <TabCount>{inboundText(counts.inbound)}</TabCount> : null}
        </Link>
        <Link to="/dashboard/agents/$id" params={params} search={{ tab: 'schedule' }} activeOptions={EXACT}>
          Schedule
        </Link>
        <Link to="/dashboard/agents/$id" params={params} search={{ tab: 'connect' }} activeOptions={EXACT}>
          How to connect
        </Link>
      </Tabs>
      {tab === 'settings' ? (
        <>
          <SettingsTab agent={agent} state={state} field={field} onField={onField} />
          <WhatItDoes agent={agent} workflow={workflow} counts={counts} />
          <DeleteAgent agent={agent} />
        </>
      ) : null}
      {tab === 'runs' ? runs(agent) : null}
      {tab === 'inbound' ? <InboundTab agent={agent} workflow={workflow} outcome={outcome} openId={event} /> : null}
      {tab === 'schedule' ? (
        <Part id={tab} skeleton={<SkeletonBlock height={280} />}>
          <ScheduleTab agent={agent} />
        </Part>
      ) : null}
      {tab === 'connect' ? <ConnectTab agent={agent} workflow={workflow} /> : null}
    </>
  );
}

/** All calls that were counted, "1,000+" when there are more. */
function inboundText({ accepted, refused, isMore }: AgentCounts['inbound']): string {
  return `${formatNumber(accepted + refused)}${isMore ? '+' : ''}`;
}

/** What keeps the agent from working: missing credentials first, then settings. */
function Missing({ agent }: { agent: Agent }) {
  if (agent.missingConnections.length > 0) return <MissingKeys agent={agent} />;
  if (agent.refusedConnections.length > 0) return <RefusedKeys agent={agent} />;
  if (agent.missingSettings.length === 0) return null;
  return (
    <div className="mb-4">
      <Note tone="warn">
        <b>Add {joinWords(missingSettingNames(agent))}.</b> Runs fail without {agent.missingSettings.length === 1 ? 'it' : 'them'}.
      </Note>
    </div>
  );
}

function MissingKeys({ agent }: { agent: Agent }) {
  const names = joinWords(agent.missingConnections.map((provider) => PROVIDERS[provider].name));
  return (
    <div className="mb-4">
      <Note
        tone="warn"
        action={
          <Link
            to="/dashboard/integrations"
            search={{ service: agent.missingConnections[0], client: agent.clientId ?? undefined }}
            className={buttonClass('default', 'sm')}
          >
            Connect {PROVIDERS[agent.missingConnections[0] ?? 'code'].name}
          </Link>
        }
      >
        {agent.installed ? (
          <>
            <b>No key for {names} is saved.</b> Runs fail until one is.
          </>
        ) : (
          <>
            <b>This agent waits for {names}.</b> It can be installed once{' '}
            {agent.missingConnections.length === 1 ? 'the key is' : 'all keys are'} saved.
          </>
        )}
      </Note>
    </div>
  );
}

function RefusedKeys({ agent }: { agent: Agent }) {
  const [first = 'code'] = agent.refusedConnections;
  return (
    <div className="mb-4">
      <Note
        tone="bad"
        action={
          <Link
            to="/dashboard/integrations"
            search={{ service: first, client: agent.clientId ?? undefined }}
            className={buttonClass('default', 'sm')}
          >
            Replace the {PROVIDERS[first].name} key
          </Link>
        }
      >
        <b>{joinWords(agent.refusedConnections.map((provider) => PROVIDERS[provider].name))} refused the saved key.</b> Runs fail until a
        valid one is saved.
      </Note>
    </div>
  );
}
