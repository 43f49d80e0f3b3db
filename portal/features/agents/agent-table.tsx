import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { formatNumber } from '../../ui/text/format.ts';
import { AgentStatus, shownState } from '../../shared/agent-state.tsx';
import { activityColumn, useActivity } from '../../shared/activity-column.tsx';
import type { PagedTable } from '../../shared/paged-table.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { SuccessRate, VersionBadge } from '../../shared/agent-figures.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import type { Agent } from '../../queries/agents.ts';
import '../../ui/forms/checkbox.css';
import '../../ui/table/table.css';

export const AGENT_COLUMNS = [
  { key: 'client', word: 'Client' },
  { key: 'version', word: 'Version' },
  { key: 'days', word: 'By day' },
  { key: 'runs', word: 'Runs' },
  { key: 'rate', word: 'Succeeded' },
  { key: 'last', word: 'Last run' },
] as const;

type List = ComponentProps<typeof PagedTable<Agent>>['list'];
type Choice = { chosen: ReadonlySet<string>; onToggle: (id: string) => void };

/** Returns the table of a list of agents, with their health, 30-day figures and an on/off switch. */
export function useAgentTable(list: List, { withoutClient = false, hidden = [], ...choice }: TableOptions & Partial<Choice> = {}) {
  const navigate = useNavigate();
  const { chosen, onToggle } = choice;
  const activity = useActivity('agents', list, !hidden.includes('days'));
  const days = activityColumn<Agent>(activity);
  const own = COLUMNS.filter(({ key }) => !withoutClient || key !== 'client').flatMap((column) =>
    column.key === 'runs' ? [days, column] : [column],
  );
  return {
    list,
    label: 'Agents',
    columns: chosen && onToggle ? [choiceColumn(chosen, onToggle), ...own] : own,
    rowKey: (agent: Agent) => agent.id,
    onOpen: (agent: Agent) => void navigate({ to: '/dashboard/agents/$id', params: { id: agent.id } }),
    ...choice,
  };
}

/** `hidden` are columns that need not be read; they are removed by the list. */
type TableOptions = { withoutClient?: boolean; hidden?: readonly string[] };

function choiceColumn(chosen: ReadonlySet<string>, onToggle: (id: string) => void): Column<Agent> {
  return {
    key: 'choose',
    head: <span className="sr-only">Select</span>,
    cell: (agent) => (
      <label className="-my-1 -mr-1 grid size-6 place-items-center">
        <input
          type="checkbox"
          className="checkbox"
          aria-label={`Select ${agent.name}${agent.clientName ? ` for ${agent.clientName}` : ''}`}
          checked={chosen.has(agent.id)}
          onChange={() => onToggle(agent.id)}
        />
      </label>
    ),
  };
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
        <span className="table-second-line table-phone-line">{[agent.clientName, shownState(agent).word].filter(Boolean).join(', ')}</span>
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
  { key: 'health', head: 'State', hide: 'phone', cell: (agent) => <AgentStatus agent={agent} /> },
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
