import { agentState, type AgentState, mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { type Agent, missingSettingNames } from '../queries/agents.ts';
import { Badge, Status } from '../ui/feedback/badge.tsx';
import type { MarkKind } from '../ui/feedback/mark.tsx';
import { joinWords } from '../ui/text/format.ts';
import { HEALTH, PROVIDERS } from './labels.ts';

type Shown = { mark: MarkKind; word: string; tone?: 'bad' | 'warn' };

const SHOWN: Record<AgentState, (agent: Agent) => Shown> = {
  client_inactive: ({ clientStatus }) => ({ mark: 'pause', word: `Client ${clientStatus ?? 'inactive'}` }),
  paused: () => HEALTH.paused,
  not_installed: () => HEALTH.not_installed,
  key_missing: (agent) => ({ mark: 'warn', tone: 'warn', word: `Needs ${namesOf(agent.missingConnections)}` }),
  key_refused: (agent) => ({ mark: 'bad', tone: 'bad', word: `${namesOf(agent.refusedConnections)} key refused` }),
  settings_missing: (agent) => ({ mark: 'warn', tone: 'warn', word: `Needs ${joinWords(missingSettingNames(agent))}` }),
  failing: () => ({ ...HEALTH.failing, tone: 'bad' }),
  silent: () => ({ ...HEALTH.silent, tone: 'warn' }),
  ok: () => ({ mark: 'ok', word: 'Working' }),
};

function namesOf(providers: Agent['missingConnections']): string {
  return joinWords(providers.map((provider) => PROVIDERS[provider].name));
}

type OfClient = Pick<Agent, 'clientName' | 'clientStatus'>;

/** Why no event of an agent is accepted: its client is suspended or archived. */
export function inactiveClient(agent: OfClient): string | undefined {
  return mayClientRunAgents(agent.clientStatus) ? undefined : `${inactiveText(agent)}, so events are refused.`;
}

/** Why planned runs of an agent do not start, as the beginning of a sentence. */
export function whyOff(agent: OfClient & Pick<Agent, 'isActive'>): string | undefined {
  if (!mayClientRunAgents(agent.clientStatus)) return inactiveText(agent);
  return agent.isActive ? undefined : 'The agent is off';
}

function inactiveText({ clientName, clientStatus }: OfClient): string {
  return `${clientName ?? 'Its client'} is ${clientStatus ?? 'inactive'}`;
}

/** The words for the state of an agent, the same on every page. */
export function shownState(agent: Agent): Shown {
  return SHOWN[agentState(agent)](agent);
}

export function AgentStatus({ agent }: { agent: Agent }) {
  const { word, ...rest } = shownState(agent);
  return <Status {...rest}>{word}</Status>;
}

export function AgentBadge({ agent }: { agent: Agent }) {
  const { word, mark } = shownState(agent);
  return <Badge mark={mark}>{word}</Badge>;
}
