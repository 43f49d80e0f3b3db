import { isAgentOn } from '@partner-portal/core/agent/state.ts';
import { AGENT_HEALTH } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { plural } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { HEALTH } from '../../shared/labels.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { TableTools, useTableView } from '../../ui/table/table-tools.tsx';
import { catalogQuery } from '../../queries/catalog.ts';
import { AGENT_COLUMNS, AgentTable } from './agent-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type AgentFilters, agentsQuery } from '../../queries/agents.ts';

type Props = { filters: AgentFilters; onChange: (change: Record<string, string | undefined>) => void };

/** All agents of the partner, or of the selected client. */
export function AgentsPage({ filters, onChange }: Props) {
  const user = useUser();
  useTitle('Agents', user.partner.name);
  const view = useTableView('agents');
  const list = useInfiniteQuery(agentsQuery(filters));
  const catalog = useQuery(catalogQuery(undefined));
  const onText = useCallback((q: string | undefined) => onChange({ q }), [onChange]);
  const rows = rowsOf(list);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const picked = rows.filter((agent) => chosen.has(agent.id));
  const isFiltered = Boolean(filters.health || filters.template || filters.q);
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
      <FilterBar
        text={filters.q}
        onText={onText}
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
        tools={
          <>
            <SavedFilters table="agents" keys={['client', 'health', 'template', 'q']} />
            <TableTools view={view} choices={AGENT_COLUMNS} />
          </>
        }
      />
      {picked.length > 0 ? <BulkBar agents={picked} onClear={() => setChosen(new Set())} /> : null}
      <AgentTable
        chosen={chosen}
        onToggle={toggle}
        list={list}
        empty={
          isFiltered ? (
            <NoMatch what="agent" q={filters.q} onClear={() => onChange({ q: undefined, health: undefined, template: undefined })} />
          ) : (
            <NoAgents />
          )
        }
        dense={view.isDense}
        hidden={view.hidden}
        withoutClient={filters.client !== undefined}
      />
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
