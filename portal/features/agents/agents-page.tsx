import { isAgentOn } from '@partner-portal/core/agent/state.ts';
import { AGENT_HEALTH } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../../ui/text/format.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { HEALTH } from '../../shared/labels.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { useTableView } from '../../ui/table/table-tools.tsx';
import { catalogQuery } from '../../queries/catalog.ts';
import { AGENT_COLUMNS, useAgentTable } from './agent-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type AgentFilters, agentsQuery } from '../../queries/agents.ts';

type Props = { filters: AgentFilters; onChange: (change: SearchChange<AgentFilters>) => void };

/** All agents of the partner, or of the selected client. */
export function AgentsPage({ filters, onChange }: Props) {
  const user = useUser();
  useTitle('Agents', user.partner.name);
  const view = useTableView('agents');
  const list = useInfiniteQuery(agentsQuery(filters));
  const catalog = useQuery(catalogQuery(undefined));
  const rows = rowsOf(list);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const picked = rows.filter((agent) => chosen.has(agent.id));
  const table = useAgentTable(list, { withoutClient: filters.client !== undefined, hidden: view.hidden, chosen, onToggle: toggle });
  return (
    <>
      <PageHeader
        title="Agents"
        meta={
          list.data ? `${plural(rows.length, 'agent')}${list.hasNextPage ? ' shown' : ''}, ${rows.filter(isAgentOn).length} on` : '\u00a0'
        }
        actions={
          <Link to="/dashboard/catalog" className={buttonClass()}>
            Browse the catalog
          </Link>
        }
      />
      <FilteredList
        search={filters}
        onSearch={onChange}
        filters={['health', 'template', 'q']}
        placeholder="Filter by name"
        chips={
          <>
            <FilterChip
              name="State"
              value={filters.health}
              options={AGENT_HEALTH.map((value) => ({ value, label: HEALTH[value].word }))}
              onChange={(health) => onChange({ health })}
            />
            <FilterChip
              name="Template"
              value={filters.template}
              options={(catalog.data ?? []).map((entry) => ({ value: entry.name, label: entry.title }))}
              onChange={(template) => onChange({ template })}
            />
          </>
        }
        saved="agents"
        savedWith={['client']}
        view={view}
        hideable={AGENT_COLUMNS}
        none={<NoAgents />}
        noMatch="agent"
        {...table}
      >
        {picked.length > 0 ? <BulkBar agents={picked} onClear={() => setChosen(new Set())} /> : null}
      </FilteredList>
    </>
  );
}

function NoAgents() {
  return (
    <EmptyState
      title="No agents yet"
      actions={
        <Link to="/dashboard/catalog" className={buttonClass('default', 'sm')}>
          Browse the catalog
        </Link>
      }
    >
      Agents appear here with their health and runs once your platform team adds them for a client. Browse the catalog to request one.
    </EmptyState>
  );
}
