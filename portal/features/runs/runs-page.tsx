import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { formatNumber, inPlace, joinWords, plural } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { CauseStrip } from './cause-strip.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { useTableView } from '../../ui/table/table-tools.tsx';
import { summaryQuery } from '../../queries/agency.ts';
import { canSortRuns, causesQuery, type FailureCause, type RunFilters, rerunsQuery, runQuery, runsQuery, startOf } from './queries.ts';
import { RerunSelected, RerunFailed } from './rerun.tsx';
import { RerunProgress } from './rerun-progress.tsx';
import { RunChips } from './run-chips.tsx';
import { OPTIONAL_COLUMNS, runColumns } from './run-columns.tsx';
import { useTogether } from '../../ui/hooks/use-together.ts';
import { useLiveRuns } from './use-live-runs.ts';

type Props = { filters: RunFilters; onChange: (change: SearchChange<RunFilters>) => void };

/** Live list of executions with URL filters, failures by cause and CSV export. */
export function RunsPage({ filters, onChange }: Props) {
  const user = useUser();
  useTitle('Runs', user.partner.name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const view = useTableView('runs');
  const { live, arrived, spoken } = useLiveRuns(filters);
  const list = useInfiniteQuery(runsQuery(filters));
  const causes = useQuery(causesQuery(filters));
  const reruns = useQuery(rerunsQuery);
  const isShown = useTogether(JSON.stringify([filters.client, filters.agent, filters.started]), list, [causes, reruns]);
  const navigate = useNavigate();
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const picked = rowsOf(list).filter((run) => chosen.has(run.id));
  return (
    <>
      <PageHeader
        title="Runs"
        meta={<TodaySentence client={filters.client} />}
        actions={<ExportButton name="runs" read={() => api.exportExecutions({ query: runQuery(filters) })} />}
      />
      <FilteredList
        search={filters}
        onSearch={onChange}
        filters={FILTERS}
        placeholder="Search event data"
        chips={<RunChips filters={filters} onChange={onChange} />}
        tools={picked.length > 0 ? <RerunSelected runs={picked} onDone={() => setChosen(new Set())} /> : <LiveDot state={live} />}
        saved="runs"
        savedWith={['client']}
        view={view}
        hideable={OPTIONAL_COLUMNS}
        none={<NoRuns filters={filters} />}
        noMatch={(clear) => <NoRuns filters={filters} onClear={clear} />}
        list={list}
        expected={12}
        isHeld={!isShown}
        label="Runs"
        columns={runColumns([], { choice: { chosen, onToggle: toggle }, canSort: canSortRuns(filters) })}
        rowKey={(run) => run.id}
        onOpen={(run) => void navigate({ to: '/dashboard/runs/$id', params: { id: run.id } })}
        chosen={chosen}
        onToggle={toggle}
        arrived={arrived}
      >
        <Causes data={isShown ? causes.data : undefined} filters={filters} onChange={onChange} />
        {isShown ? <RerunProgress /> : null}
        <p className="sr-only" role="status">
          {spoken}
        </p>
      </FilteredList>
    </>
  );
}

function TodaySentence({ client }: { client: string | undefined }) {
  const { data } = useQuery(summaryQuery(client));
  if (!data) return <>&nbsp;</>;
  const { runs, failed, running } = data.today;
  if (runs === 0) return <>No runs today</>;
  return (
    <>
      {formatNumber(runs)} since midnight{inPlace(data.timezone)}, {failed ? formatNumber(failed) : 'none'} failed
      {running ? `, ${formatNumber(running)} running` : ''}
    </>
  );
}

function Causes({ data, filters, onChange }: Props & { data: FailureCause[] | undefined }) {
  if (!data || data.length === 0) return null;
  const isPicked = (cause: FailureCause): boolean => filters.cause === cause.code && (!filters.agent || filters.agent === cause.workflowId);
  const groups = [...Map.groupBy(newestFirst(data), causeKey)];
  const pick = (picked: string): void => {
    const cause = data.find((one) => causeKey(one) === picked);
    if (cause) onChange(isPicked(cause) ? { cause: undefined, status: undefined } : { cause: cause.code, status: 'FAILED' });
  };
  return (
    <CauseStrip
      causes={groups.map(([key, of]) => ({
        key,
        count: of.reduce((sum, { count }) => sum + count, 0),
        cause: of[0]?.message ?? '',
        who: whoOf(of),
        isChosen: of.some(isPicked),
      }))}
      onPick={pick}
      action={
        <RerunFailed
          causes={filters.cause === undefined ? data : data.filter(isPicked)}
          cause={filters.cause}
          from={startOf(filters.started ?? 'today') ?? startOf('30d') ?? ''}
        />
      }
    />
  );
}

/** A cause of several agents is one; where the code says less than the message, the message separates them. */
const causeKey = ({ code, message }: FailureCause): string => `${code} ${failureOf(code).sentence ?? message}`;

const newestFirst = (causes: readonly FailureCause[]): FailureCause[] => causes.toSorted((a, b) => b.lastAt.localeCompare(a.lastAt));

function whoOf(causes: readonly FailureCause[]): string {
  const clients = [...new Set(causes.flatMap((cause) => cause.clients))];
  if (clients.length > 3) return plural(clients.length, 'client');
  const [first] = causes;
  return joinWords(clients) || (causes.length === 1 ? first?.agentName : undefined) || 'Several agents';
}

const FILTERS = ['started', 'status', 'agent', 'source', 'cause', 'q'] as const;

function NoRuns({ filters, onClear }: { filters: RunFilters; onClear?: () => void }) {
  const { started = 'today', q } = filters;
  if (onClear && FILTERS.some((name) => name !== 'started' && filters[name] !== undefined))
    return (
      <NoMatch what="run" onClear={onClear}>
        {q ? `No event contains “${q}”.` : undefined}
      </NoMatch>
    );
  if (started !== 'all')
    return (
      <EmptyState
        title={started === 'today' || started === 'agency' ? 'No runs today' : 'No runs in this period'}
        actions={
          <Link to="/dashboard/runs" search={(before) => ({ client: before.client, started: 'all' })} className="link">
            Show any time
          </Link>
        }
      >
        Runs appear here as soon as an event reaches one of your agents.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No runs yet"
      actions={
        <Link to="/dashboard/agents" className="link">
          Choose an agent to run
        </Link>
      }
    >
      Runs appear here as soon as an event reaches one of your agents. To see one now, open an agent and choose “Run once”.
    </EmptyState>
  );
}
