import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { api, queryClient, type Reply } from '../../lib/client.ts';
import { formatMinute, formatNumber, formatUtc, isSameDay } from '../../lib/format.ts';
import { useLive } from '../../lib/live.ts';
import { useUser } from '../../lib/session.ts';
import { throttle } from '../../lib/throttle.ts';
import { useTitle } from '../../lib/title.ts';
import { HEALTH, RUN_STATUS } from '../../lib/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { announce, announceError } from '../../ui/toast.tsx';

type Summary = Reply<'getMyClientSummary'>;
type Agent = Summary['agents'][number];

const homeQuery = queryOptions({ queryKey: ['client', 'summary'], queryFn: ({ signal }) => api.getMyClientSummary({ signal }), staleTime: 10_000 });

/** What the agents did for this business this month, in plain words. */
export function ClientHomePage() {
  const user = useUser();
  useTitle('Home', user.partner.name);
  const home = useQuery(homeQuery);
  const refresh = useMemo(() => throttle(() => void queryClient.invalidateQueries({ queryKey: ['client'] }), 5000), []);
  useLive({ path: '/executions/stream', onEvent: refresh, onCatchUp: refresh });
  if (home.error) return <ErrorBlock error={home.error} onRetry={() => void home.refetch()} />;
  if (!home.data) return <SkeletonRows rows={8} height={44} />;
  const { data } = home;
  return (
    <div className="grid gap-x-16 rail:grid-cols-[minmax(0,1fr)_372px]">
      <div className="rail:col-span-2">
        <p className="text-ink-3">{user.client?.name}</p>
        <h1 className="mt-1 text-2xl font-figure tracking-[-0.022em] text-balance md:text-3xl"><Headline summary={data} /></h1>
        <Results results={data.results} />
      </div>
      <section className="rail:order-2">
        <div className="section-head"><h2>Your agents</h2></div>
        {data.agents.length === 0 ? <p className="py-3.5 text-ink-2">{user.partner.name} has not switched an agent on yet.</p> : null}
        {data.agents.map((agent) => <AgentLine key={agent.id} agent={agent} />)}
      </section>
      <section className="mt-8 rail:order-1 rail:mt-0">
        <div className="section-head"><h2>What happened</h2></div>
        <Feed runs={data.latest} agency={user.partner.name} />
      </section>
    </div>
  );
}

function Headline({ summary: { monthLabel, hoursSavedMonth, runsMonth } }: { summary: Summary }) {
  const month = monthLabel.split(' ')[0];
  if (runsMonth === 0) return <>Your agents are ready for {month}.</>;
  if (hoursSavedMonth < 1) return <>In {month} your agents helped <em className="whitespace-nowrap text-brand not-italic">{formatNumber(runsMonth)} {runsMonth === 1 ? 'time' : 'times'}</em>.</>;
  return <>In {month} your agents saved you about <em className="whitespace-nowrap text-brand not-italic">{formatNumber(Math.round(hoursSavedMonth))} hours</em>.</>;
}

function Results({ results }: { results: Summary['results'] }) {
  if (results.length === 0) return <div className="pb-8" />;
  return (
    <dl className="mt-6 mb-8 grid border-y border-line md:auto-cols-fr md:grid-flow-col">
      {results.slice(0, 3).map((row) => (
        <div key={row.templateName} className="flex items-center gap-4 border-line-soft py-3 not-first:border-t md:block md:border-line md:px-5 md:py-3.5 md:first:pl-0 md:not-first:border-t-0 md:not-first:border-l">
          <dd className="num min-w-[62px] text-2xl font-figure tracking-[-0.022em]">{formatNumber(row.count)}</dd>
          <dt className="text-ink-2">{row.phrase}</dt>
        </div>
      ))}
    </dl>
  );
}

/** One agent with its switch, when the agency lets the client use it. */
function AgentLine({ agent }: { agent: Agent }) {
  const set = useMutation({
    mutationFn: (on: boolean) => (on ? api.resumeAgent : api.pauseAgent)({ params: { id: agent.id } }),
    onMutate: (on) => queryClient.setQueryData(homeQuery.queryKey, (before) => before && { ...before, agents: before.agents.map((row) => (row.id === agent.id ? { ...row, isActive: on } : row)) }),
    onError: (error) => announceError(error),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['client'] }),
  });
  const change = (on: boolean): void => set.mutate(on, { onSuccess: () => announce(on ? `${agent.name} is on.` : `${agent.name} is paused.`, { undo: () => set.mutate(!on) }) });
  const { mark } = HEALTH[agent.health];
  return (
    <div className="flex items-center gap-4 border-b border-line-soft py-3.5">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{agent.name}</p>
        <p className="text-ink-2">{agent.description}</p>
        <p className="flex items-center gap-2 pt-1 text-sm text-ink-3"><Mark kind={agent.isActive ? (agent.installed ? mark : 'none') : 'pause'} />{agent.isActive ? (agent.installed ? 'On' : 'Being set up') : 'Paused'}</p>
      </div>
      {agent.clientCanPause ? <Switch checked={agent.isActive} onChange={change} label={agent.name} /> : null}
    </div>
  );
}

/** Runs as sentences, under Now, Today, Yesterday and dates. */
function Feed({ runs, agency }: { runs: Summary['latest']; agency: string }) {
  if (runs.length === 0) return <div className="pt-4"><EmptyState title="Nothing yet">What your agents do appears here the moment they do it.</EmptyState></div>;
  let head: string | undefined;
  return (
    <ol>
      {runs.map((run) => {
        const next = run.status === 'RUNNING' ? 'Now' : dayOf(run.startedAt);
        const isNew = next !== head;
        head = next;
        return (
          <Fragment key={run.id}>
            {isNew ? <li className="pt-4 pb-1 text-sm font-figure text-ink-3">{next}</li> : null}
            <li className="flex gap-3 border-b border-line-soft py-2.5">
              <Mark kind={RUN_STATUS[run.status].mark} label={RUN_STATUS[run.status].word} className="mt-1" />
              <div className="min-w-0 flex-1 text-pretty">
                <p>{run.summary}</p>
                {run.status === 'FAILED' ? <p className="text-[14px] text-ink-3">{agency} has been told.</p> : null}
              </div>
              <time className="text-sm text-ink-3" dateTime={run.startedAt} title={formatUtc(run.startedAt)}>{formatMinute(run.startedAt)}</time>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

function dayOf(iso: string): string {
  const now = new Date();
  const at = new Date(iso);
  if (isSameDay(at, now)) return 'Today';
  if (isSameDay(at, new Date(now.getTime() - 86_400_000))) return 'Yesterday';
  return new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }).format(at);
}
