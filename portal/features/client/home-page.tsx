import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { AgentState, AgentSwitch } from './agent-switch.tsx';
import { Feed } from './feed.tsx';
import { homeQuery, type Summary } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/layout/section-header.css';

/** What the agents did for this business this month. */
export function ClientHomePage() {
  const user = useUser();
  useTitle('Home', user.partner.name);
  const data = useLoaded(homeQuery);
  useLiveClient();
  return (
    <div className="grid gap-x-16 rail:grid-cols-[minmax(0,1fr)_372px]">
      <div className="rail:col-span-2">
        <p className="text-ink-3">{user.client?.name}</p>
        <h1 className="mt-1 text-2xl font-figure tracking-[-0.022em] text-balance md:text-3xl">
          <Headline summary={data} />
        </h1>
        <Results results={data.results} />
      </div>
      <section className="rail:order-2">
        <div className="section-header">
          <h2>Your agents</h2>
        </div>
        {data.agents.length === 0 ? <p className="py-3.5 text-ink-2">{user.partner.name} has not switched an agent on yet.</p> : null}
        {data.agents.map((agent) => (
          <div key={agent.id} className="flex items-center gap-4 border-b border-line-soft py-3.5">
            <div className="min-w-0 flex-1">
              <Link to="/client/agents/$id" params={{ id: agent.id }} className="font-semibold hover:underline">
                {agent.name}
              </Link>
              <p className="pb-1 text-ink-2">{agent.description}</p>
              <AgentState agent={agent} />
            </div>
            <AgentSwitch agent={agent} />
          </div>
        ))}
      </section>
      <section className="mt-8 rail:order-1 rail:mt-0">
        <div className="section-header">
          <h2>What happened</h2>
        </div>
        {data.latest.length === 0 ? (
          <div className="pt-4">
            <EmptyState title="No activity yet">Everything your agents do appears here as it happens.</EmptyState>
          </div>
        ) : (
          <Feed runs={data.latest} agency={user.partner.name} />
        )}
        {data.latest.length > 0 ? (
          <p className="pt-4">
            <Link to="/client/activity" className="link inline-flex items-center gap-2">
              See all activity
              <ArrowRight className="icon" aria-hidden />
            </Link>
          </p>
        ) : null}
      </section>
    </div>
  );
}

function Headline({ summary: { monthLabel, hoursSavedMonth, results } }: { summary: Summary }) {
  const month = monthLabel.split(' ')[0];
  // Failed executions saved no time.
  const helped = results.reduce((sum, row) => sum + row.count, 0);
  if (helped === 0) return <>Your agents are ready for {month}.</>;
  if (hoursSavedMonth < 1)
    return (
      <>
        In {month} your agents helped <em className="whitespace-nowrap text-brand not-italic">{plural(helped, 'time')}</em>.
      </>
    );
  return (
    <>
      In {month} your agents saved you about{' '}
      <em className="whitespace-nowrap text-brand not-italic">{formatNumber(Math.round(hoursSavedMonth))} hours</em>.
    </>
  );
}

function Results({ results }: { results: Summary['results'] }) {
  if (results.length === 0) return <div className="pb-8" />;
  return (
    <dl className="mt-6 mb-8 grid border-y border-line md:auto-cols-fr md:grid-flow-col">
      {results.slice(0, 3).map((row) => (
        <div
          key={row.templateName}
          className="flex items-center gap-4 border-line-soft py-3 not-first:border-t md:block md:border-line md:px-5 md:py-3.5 md:first:pl-0 md:not-first:border-t-0 md:not-first:border-l"
        >
          <dd className="tabular-nums min-w-[62px] text-2xl font-figure tracking-[-0.022em]">{formatNumber(row.count)}</dd>
          <dt className="text-ink-2">{row.phrase}</dt>
        </div>
      ))}
    </dl>
  );
}
