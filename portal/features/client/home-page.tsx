import { agentState } from '@partner-portal/core/agent/state.ts';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { AgentState, AgentSwitch } from './agent-switch.tsx';
import { Feed } from './feed.tsx';
import { monthName } from './days.ts';
import { MonthDays } from './month-days.tsx';
import { type Agent, homeQuery, type Summary } from './queries.ts';
import { useLiveClient } from './use-live-client.ts';
import { useLoaded } from '../../app/route-data.ts';
import { numberFormat } from '../../ui/text/intl.ts';
import '../../ui/layout/section-header.css';

/** What the agents did for this business this month. */
export function ClientHomePage() {
  const user = useUser();
  const { t } = useMessages();
  useTitle(t('client-home.title'), user.partner.name);
  const data = useLoaded(homeQuery);
  useLiveClient();
  return (
    <div className="grid gap-x-16 rail:grid-cols-[minmax(0,1fr)_372px]">
      <div className="rail:col-span-2">
        <p className="text-ink-3">{user.client?.name}</p>
        <h1 className="mt-1 text-2xl font-figure tracking-figure text-balance md:text-3xl">
          <Headline summary={data} />
        </h1>
        <Compared summary={data} />
        <Results results={data.results} />
        <MonthDays days={data.byDay} label={t('client-home.days-label')} />
        <p className="-mt-4 mb-8">
          <Link to="/client/report" className="link inline-flex items-center gap-2">
            <ReportTitle summary={data} />
            <ArrowRight className="icon" aria-hidden />
          </Link>
        </p>
      </div>
      <section className="rail:order-2">
        <div className="section-header">
          <h2>{t('client-home.agents')}</h2>
        </div>
        {data.agents.length === 0 ? <p className="py-3.5 text-ink-2">{t('client-home.no-agents', { agency: user.partner.name })}</p> : null}
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
          <h2>{t('client-home.activity')}</h2>
        </div>
        {data.latest.length === 0 ? (
          <div className="pt-4">
            <EmptyState title={t('client-home.no-activity')}>{t('client-home.no-activity-hint')}</EmptyState>
          </div>
        ) : (
          <Feed runs={data.latest} agency={user.partner.name} />
        )}
        {data.latest.length > 0 ? (
          <p className="pt-4">
            <Link to="/client/activity" className="link inline-flex items-center gap-2">
              {t('client-home.all-activity')}
              <ArrowRight className="icon" aria-hidden />
            </Link>
          </p>
        ) : null}
      </section>
    </div>
  );
}

/** Whether the agent is on and works; the others wait for someone, and the list says for whom. */
function isReady(agent: Agent): boolean {
  const state = agentState(agent);
  return state === 'ok' || state === 'silent';
}

const EMPHASIS = '\u2060'; // word joiner: invisible, and part of no message

/** The month so far in one sentence, with what it adds up to in the brand's colour. */
function Headline({ summary }: { summary: Summary }) {
  const { t, tag } = useMessages();
  const { hoursSavedMonth, byDay, agents } = summary;
  const month = monthName(byDay[0]?.date ?? summary.now, tag);
  const count = summary.resultsMonth;
  const marked = (text: string): string => `${EMPHASIS}${text}${EMPHASIS}`;
  const results = t('client-home.results', { count });
  const hours = t('client-home.hours', { hours: Math.round(hoursSavedMonth) });
  const text =
    count === 0
      ? t(agents.some(isReady) ? 'client-home.ready' : 'client.noResultsIn', {
          month,
        })
      : hoursSavedMonth < 1
        ? t('client-home.achieved', { month, results: marked(results) })
        : t('client-home.saved', { month, results: marked(results), hours: marked(hours) });
  return text.split(EMPHASIS).map((part, at) =>
    at % 2 === 1 ? (
      <em key={at} className="whitespace-nowrap text-brand not-italic">
        {part}
      </em>
    ) : (
      part
    ),
  );
}

/** The link to the report, which opens the month before. */
function ReportTitle({ summary: { previous, byDay, now } }: { summary: Summary }) {
  const { t, tag } = useMessages();
  return previous === null ? t('client-home.report') : t('client-home.report-of', { month: monthName(byDay[0]?.date ?? now, tag, -1) });
}

/** Compares with the same days of the month before; says nothing where there is nothing to compare with. */
function Compared({ summary }: { summary: Summary }) {
  const { t, tag } = useMessages();
  const { previous, byDay, now } = summary;
  if (previous === null) return null;
  const difference = summary.resultsMonth - previous.helped;
  const month = monthName(byDay[0]?.date ?? now, tag, -1);
  const count = numberFormat(tag).format(Math.abs(difference));
  return (
    <p className="mt-2 text-ink-2">
      {difference === 0
        ? t('client-home.equal', { month })
        : difference > 0
          ? t('client-home.more', { count, month })
          : t('client-home.fewer', { count, month })}
    </p>
  );
}

const PARTS = 3;

/** The parts of the month's number: the largest ones, and what is left, so that they add up to it. */
function Results({ results }: { results: Summary['results'] }) {
  const { t, tag } = useMessages();
  if (results.length === 0) return <div className="pb-8" />;
  const shown = results.length > PARTS ? results.slice(0, PARTS - 1) : results;
  const left = results.slice(shown.length).reduce((sum, row) => sum + row.count, 0);
  const parts =
    left === 0 ? shown : [...shown, { templateName: 'others', count: left, phrase: t('client-home.other-results', { count: left }) }];
  return (
    <dl className="mt-6 mb-8 grid border-y border-line md:auto-cols-fr md:grid-flow-col">
      {parts.map((row) => (
        <div
          key={row.templateName}
          className="flex items-center gap-4 border-line-soft py-3 not-first:border-t md:block md:border-line md:px-5 md:py-3.5 md:first:pl-0 md:not-first:border-t-0 md:not-first:border-l"
        >
          <dd className="tabular-nums min-w-15.5 text-2xl font-figure tracking-figure">{numberFormat(tag).format(row.count)}</dd>
          <dt className="text-ink-2">{row.phrase}</dt>
        </div>
      ))}
    </dl>
  );
}
