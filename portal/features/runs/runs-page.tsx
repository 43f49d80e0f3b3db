import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useCallback, useState } from 'react';
import { api, downloadCsv } from '../../lib/client.ts';
import { formatNumber, joinWords } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { useTitle } from '../../lib/title.ts';
import { Button } from '../../ui/button.tsx';
import { CauseStrip } from '../../ui/cause-strip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/layout.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Table, TableFoot } from '../../ui/table.tsx';
import { shownColumns, TableTools, useTableView } from '../../ui/table-tools.tsx';
import { announceError } from '../../ui/toast.tsx';
import { summaryQuery } from '../../lib/agency.ts';
import { causesQuery, type RunFilters, runQuery, runsQuery, startOf } from './queries.ts';
import { RerunChosen, RerunFailed } from './rerun.tsx';
import { RunChips } from './run-chips.tsx';
import { OPTIONAL_COLUMNS, runColumns } from './run-columns.tsx';
import { useLiveRuns } from './use-live-runs.ts';

type Props = { filters: RunFilters; onChange: (change: { [K in keyof RunFilters]?: RunFilters[K] | undefined }) => void };

/** Every run as it happens: filters in the address, failures by cause, the list as CSV. */
export function RunsPage({ filters, onChange }: Props) {
  const user = useUser();
  useTitle('Runs', user.partner.name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const view = useTableView('runs');
  const { live, arrived, spoken } = useLiveRuns(filters);
  const list = useInfiniteQuery(runsQuery(filters));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const onText = useCallback((q: string | undefined) => onChange({ q }), [onChange]);
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const picked = rows.filter((run) => chosen.has(run.id));
  return (
    <>
      <PageHeader title="Runs" meta={<TodaySentence client={filters.client} />} actions={<ExportButton filters={filters} />} />
      <FilterBar
        text={filters.q}
        onText={onText}
        placeholder="Filter by what was sent"
        chips={<RunChips filters={filters} onChange={onChange} />}
        tools={
          <>
            {picked.length > 0 ? <RerunChosen runs={picked} onDone={() => setChosen(new Set())} /> : <LiveDot state={live} />}
            <TableTools view={view} choices={OPTIONAL_COLUMNS} />
          </>
        }
      />
      <Causes filters={filters} onChange={onChange} />
      <p className="sr-only" role="status">
        {spoken}
      </p>
      {list.error ? <ErrorBlock error={list.error} onRetry={() => void list.refetch()} /> : null}
      {!list.data && !list.error ? <SkeletonRows rows={12} height={34} label="Loading runs" /> : null}
      {list.data && rows.length === 0 ? <NoRuns filters={filters} /> : null}
      {rows.length > 0 ? <RunsTable rows={rows} list={list} view={view} arrived={arrived} chosen={chosen} onToggle={toggle} /> : null}
    </>
  );
}

type TableProps = {
  rows: Parameters<typeof RerunChosen>[0]['runs'];
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  view: ReturnType<typeof useTableView>;
  arrived: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
  onToggle: (id: string) => void;
};

function RunsTable({ rows, list, view, arrived, chosen, onToggle }: TableProps) {
  const navigate = useNavigate();
  return (
    <Table
      label="Runs"
      columns={shownColumns(runColumns([], { chosen, onToggle }), view)}
      rows={rows}
      rowKey={(run) => run.id}
      onOpen={(run) => void navigate({ to: '/dashboard/runs/$id', params: { id: run.id } })}
      chosen={chosen}
      onToggle={onToggle}
      dense={view.isDense}
      arrived={arrived}
      foot={
        <TableFoot
          shown={rows.length}
          hasMore={list.hasNextPage}
          isLoading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
          canOpen
          canChoose
        />
      }
    />
  );
}

function TodaySentence({ client }: { client: string | undefined }) {
  const { data } = useQuery(summaryQuery(client));
  if (!data) return <>&nbsp;</>;
  const { runs, succeeded, failed, running } = data.today;
  if (runs === 0) return <>No run since midnight</>;
  return (
    <>
      {formatNumber(runs)} since midnight, {formatNumber(succeeded)} succeeded, {formatNumber(failed)} failed
      {running ? `, ${formatNumber(running)} running` : ''}
    </>
  );
}

function Causes({ filters, onChange }: Props) {
  const { data } = useQuery(causesQuery(filters));
  if (!data || data.length === 0) return null;
  const key = (code: string, workflowId: string | null): string => `${code} ${workflowId ?? ''}`;
  const isPicked = (cause: (typeof data)[number]): boolean =>
    filters.cause === cause.code && (!filters.agent || filters.agent === cause.workflowId);
  const pick = (picked: string): void => {
    const cause = data.find((one) => key(one.code, one.workflowId) === picked);
    if (cause) onChange(isPicked(cause) ? { cause: undefined, status: undefined } : { cause: cause.code, status: 'FAILED' });
  };
  return (
    <CauseStrip
      causes={data.map((cause) => ({
        key: key(cause.code, cause.workflowId),
        count: cause.count,
        cause: cause.message,
        who: joinWords(cause.clients.slice(0, 3)) || (cause.agentName ?? 'Several agents'),
        isChosen: isPicked(cause),
      }))}
      onPick={pick}
      action={<RerunFailed causes={data} from={startOf(filters.started ?? 'today') ?? startOf('30d') ?? ''} />}
    />
  );
}

function ExportButton({ filters }: { filters: RunFilters }) {
  const save = useMutation({
    mutationFn: () => downloadCsv(api.exportExecutions({ query: runQuery(filters) }), `runs-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => announceError(error, () => save.mutate()),
  });
  return (
    <Button icon={<Download aria-hidden />} busy={save.isPending && 'Exporting'} onClick={() => save.mutate()}>
      Export as CSV
    </Button>
  );
}

function NoRuns({ filters }: { filters: RunFilters }) {
  const { started = 'today', status, agent, source, cause, q } = filters;
  if (status || agent || source || cause || q)
    return (
      <EmptyState
        title="No run matches"
        actions={
          <Link to="/dashboard/runs" search={(before) => ({ client: before.client })} className="lnk">
            Clear the filters
          </Link>
        }
      >
        {q ? `Nothing that was sent holds “${q}”.` : 'Nothing fits these filters.'}
      </EmptyState>
    );
  if (started !== 'all')
    return (
      <EmptyState
        title={started === 'today' ? 'No runs since midnight' : 'No runs in this time'}
        actions={
          <Link to="/dashboard/runs" search={(before) => ({ client: before.client, started: 'all' })} className="lnk">
            Show any time
          </Link>
        }
      >
        Runs appear here the moment an event reaches one of your agents.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No runs yet"
      actions={
        <Link to="/dashboard/agents" className="lnk">
          Open an agent and send a test
        </Link>
      }
    >
      Runs appear here the moment an event reaches one of your agents.
    </EmptyState>
  );
}
