import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber, joinWords } from '../../lib/format.ts';
import { HEALTH, PROVIDERS } from '../../lib/words.ts';
import { Status } from '../../ui/badge.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SuccessRate, VersionBadge } from '../../ui/agent-figures.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import type { Agent } from '../../lib/agents.ts';

export const AGENT_COLUMNS = [
  { key: 'client', word: 'Client' },
  { key: 'version', word: 'Version' },
  { key: 'runs', word: 'Runs' },
  { key: 'rate', word: 'Succeeded' },
  { key: 'last', word: 'Last run' },
] as const;

/** Agents with their health, figures of thirty days and their switch. */
export function AgentTable({
  rows,
  foot,
  withoutClient,
  dense,
  hidden = [],
}: {
  rows: readonly Agent[];
  foot?: ReactNode;
  withoutClient?: boolean;
  dense?: boolean;
  hidden?: readonly string[];
}) {
  const navigate = useNavigate();
  const columns = COLUMNS.filter((column) => !hidden.includes(column.key) && !(withoutClient && column.key === 'client'));
  return (
    <Table
      label="Agents"
      columns={columns}
      rows={rows}
      rowKey={(agent) => agent.id}
      onOpen={(agent) => void navigate({ to: '/dashboard/agents/$id', params: { id: agent.id } })}
      dense={dense ?? false}
      foot={foot}
    />
  );
}

const COLUMNS: Column<Agent>[] = [
  {
    key: 'name',
    head: 'Agent',
    lead: true,
    cell: (agent) => (
      <>
        <Link to="/dashboard/agents/$id" params={{ id: agent.id }} title={agent.description}>
          {agent.name}
        </Link>
        <span className="sub phone-sub">{[agent.clientName, HEALTH[agent.health].word].filter(Boolean).join(', ')}</span>
      </>
    ),
  },
  {
    key: 'client',
    head: 'Client',
    hide: 'phone',
    cell: (agent) =>
      agent.clientId ? (
        <Link to="/dashboard/clients/$id" params={{ id: agent.clientId }} className="text-ink-2 hover:text-ink">
          {agent.clientName}
        </Link>
      ) : (
        <span className="text-ink-3">Agency</span>
      ),
  },
  { key: 'health', head: 'State', hide: 'phone', cell: (agent) => <AgentHealthCell agent={agent} /> },
  { key: 'version', head: 'Version', hide: 'phone', cell: (agent) => <VersionBadge agent={agent} /> },
  {
    key: 'runs',
    head: 'Runs 30 d',
    align: 'end',
    hide: 'phone',
    cell: (agent) => (agent.runs30d ? formatNumber(agent.runs30d) : <span className="text-ink-3">0</span>),
  },
  {
    key: 'rate',
    head: 'Succeeded',
    align: 'end',
    hide: 'phone',
    cell: (agent) => <SuccessRate runs={agent.runs30d} failed={agent.failures30d} />,
  },
  { key: 'last', head: 'Last run', align: 'end', hide: 'phone', cell: (agent) => <Time iso={agent.lastRunAt} className="text-ink-2" /> },
  { key: 'on', head: 'On', align: 'end', cell: (agent) => <AgentSwitch agent={agent} /> },
];

function AgentHealthCell({ agent }: { agent: Agent }) {
  if (agent.missingConnections.length > 0)
    return (
      <Status mark="warn" tone="warn">
        Needs {joinWords(agent.missingConnections.map((provider) => PROVIDERS[provider].name))}
      </Status>
    );
  const { mark, word } = HEALTH[agent.health];
  return (
    <Status
      mark={mark}
      {...(agent.health === 'failing' ? { tone: 'bad' as const } : agent.health === 'silent' ? { tone: 'warn' as const } : {})}
    >
      {word}
    </Status>
  );
}
