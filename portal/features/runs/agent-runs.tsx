import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatDate } from '../../ui/text/format.ts';
import { useLive } from '../../app/use-live.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Panel, Section } from '../../ui/layout/layout.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { agentDaysQuery, runsOfQuery } from './queries.ts';
import { runColumns } from './run-columns.tsx';
import type { Agent } from '../../queries/agents.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Executions of one agent: a 30-day chart and the list. */
export function AgentRunsTab({ agent }: { agent: Agent }) {
  const refresh = useMemo(() => throttle(() => void refreshAfter('runsOfAgentReported', agent.id), 2000), [agent.id]);
  const live = useLive({
    path: `/executions/stream?workflowId=${agent.id}`,
    onEvent: refresh,
    onCatchUp: refresh,
    continues: keys.runs.ofScope,
  });
  return (
    <>
      <DaysPanel id={agent.id} />
      <Section
        title="Runs"
        aside={
          <>
            <LiveDot state={live} />
            <Link
              className="link text-xs"
              to="/dashboard/runs"
              search={{ agent: agent.id, started: 'all', client: agent.clientId ?? undefined }}
            >
              Open with filters
            </Link>
          </>
        }
      >
        <RunsOf scope={{ workflowId: agent.id }} except={agent.clientId ? ['agent', 'client'] : ['agent']} />
      </Section>
    </>
  );
}

function DaysPanel({ id }: { id: string }) {
  const { data } = useQuery(agentDaysQuery(id));
  if (!data || data.every((day) => day.succeeded + day.failed === 0)) return null;
  const today = data.at(-1)?.date;
  const bars = data.map((day) => ({
    label: formatDate(day.date),
    title: formatDate(day.date),
    value: day.succeeded + day.failed,
    bad: day.failed,
    isCurrent: day.date === today,
  }));
  return (
    <div className="mb-6">
      <Panel title="Last 30 days" aside={<ChartLegend value="Runs" bad="Failed" current="Today" />} flush>
        <BarChart bars={bars} height={140} labelEvery={6} label="Runs per day" names={{ bucket: 'Day', value: 'Runs', bad: 'Failed' }} />
      </Panel>
    </div>
  );
}

/** Executions of an agent or a client, newest first. */
export function RunsOf({ scope, except }: { scope: { workflowId?: string; clientId?: string }; except: readonly ('agent' | 'client')[] }) {
  const navigate = useNavigate();
  return (
    <PagedTable
      list={useInfiniteQuery(runsOfQuery(scope))}
      empty={
        <EmptyState title="No runs yet">
          Runs appear here as soon as an event reaches {scope.workflowId ? 'this agent' : 'one of its agents'}. See “How to connect” for
          where to send events.
        </EmptyState>
      }
      label="Runs"
      columns={runColumns(except)}
      rowKey={(run) => run.id}
      dense
      onOpen={(run) => void navigate({ to: '/dashboard/runs/$id', params: { id: run.id } })}
    />
  );
}
