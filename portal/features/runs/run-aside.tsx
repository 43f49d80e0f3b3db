import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatDay, formatDuration, formatNumber, joinWords, shortId } from '../../ui/text/format.ts';
import { RUN_SOURCE, RUN_STATUS } from '../../shared/labels.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { RunDetail } from '../../queries/runs.ts';
import { causesQuery, type FailureCause, startOf } from './queries.ts';
import { RerunFailed } from './rerun.tsx';

/** Facts of one execution, and recent failures with the same cause. */
export function RunAside({ run }: { run: RunDetail }) {
  const keptUntil = new Date(Date.parse(run.startedAt) + RUN_CONTENT_DAYS * 86_400_000).toISOString();
  return (
    <aside className="grid content-start gap-4">
      <Panel title="This run">
        <KeyValues
          rows={[
            ['Started', <Time key="s" iso={run.startedAt} style="long" />],
            ['Took', run.durationMs === null ? 'still running' : formatDuration(run.durationMs)],
            ['Source', RUN_SOURCE[run.source]],
            run.conversationId
              ? [
                  'Conversation',
                  <Link
                    key="v"
                    className="link"
                    to="/dashboard/inbox/$conversationId"
                    params={{ conversationId: run.conversationId }}
                    search={{}}
                  >
                    Open in the inbox
                  </Link>,
                ]
              : undefined,
            [
              'Agent',
              <Link key="a" className="link" to="/dashboard/agents/$id" params={{ id: run.workflowId }}>
                {run.agentName}
              </Link>,
            ],
            run.clientId
              ? [
                  'Client',
                  <Link key="c" className="link" to="/dashboard/clients/$id" params={{ id: run.clientId }}>
                    {run.clientName}
                  </Link>,
                ]
              : undefined,
            ['Credits', formatNumber(run.creditsCharged)],
            ['Template', `Version ${run.templateVersion}`],
            run.rerunOf
              ? [
                  'Rerun of',
                  <Link key="r" className="link font-mono text-xs" to="/dashboard/runs/$id" params={{ id: run.rerunOf }}>
                    {shortId(run.rerunOf)}
                  </Link>,
                ]
              : undefined,
            run.lastRerun
              ? [
                  'Run again',
                  <span key="l" className="inline-flex items-center gap-2">
                    <Link className="link font-mono text-xs" to="/dashboard/runs/$id" params={{ id: run.lastRerun.id }}>
                      {shortId(run.lastRerun.id)}
                    </Link>
                    <Badge mark={RUN_STATUS[run.lastRerun.status].mark}>{RUN_STATUS[run.lastRerun.status].word}</Badge>
                  </span>,
                ]
              : undefined,
            [
              'Run ID',
              <span key="i" className="inline-flex items-center gap-1">
                <code title={run.id}>{shortId(run.id)}</code>
                <CopyButton text={run.id} icon label="Copy the run ID" />
              </span>,
            ],
            run.trace ? ['Trace', <Trace key="t" {...run.trace} />] : undefined,
          ]}
        />
      </Panel>
      {run.error ? <SameCause run={run} /> : null}
      <p className="text-xs text-ink-3">
        {run.payloadExpired
          ? 'The steps, payloads and texts of this run were deleted. Its status remains.'
          : `Steps, payloads and texts are kept until ${formatDay(keptUntil)}. The status remains after that.`}
      </p>
    </aside>
  );
}

/** The trace of a run, shown to staff where traces are recorded. */
function Trace({ id, url }: NonNullable<RunDetail['trace']>) {
  return (
    <span className="inline-flex items-center gap-1">
      {url === null ? (
        <code title={id}>{shortId(id)}</code>
      ) : (
        <a className="link font-mono text-xs" href={url} title={id} target="_blank" rel="noreferrer">
          {shortId(id)}
        </a>
      )}
      <CopyButton text={id} icon label="Copy the trace ID" />
    </span>
  );
}

const DAYS = 7;

/** "20 Nov 3, 21 Nov 0, today 4": the last bar is today. */
function daysText(days: readonly number[]): string {
  const dayOf = (at: number): string => formatDay(new Date(Date.now() - (days.length - 1 - at) * 86_400_000).toISOString());
  return `Failures by day: ${days.map((count, at) => `${at === days.length - 1 ? 'today' : dayOf(at)} ${formatNumber(count)}`).join(', ')}`;
}

/** "Rerun all 7", or "Rerun the 5 that were not run again". */
function labelOf({ count, notRerun }: FailureCause): string {
  if (notRerun > LIMITS.bulkRerunMax) return `Rerun the oldest ${LIMITS.bulkRerunMax}`;
  return notRerun === count
    ? `Rerun all ${formatNumber(count)}`
    : `Rerun ${formatNumber(notRerun)} that ${notRerun === 1 ? 'was' : 'were'} not run again`;
}

function SameCause({ run }: { run: RunDetail }) {
  const { data } = useQuery(causesQuery({ agent: run.workflowId, started: '7d' }));
  const same = data?.find((cause) => cause.code === run.error?.code);
  if (!same || same.count < 2) return null;
  const days = same.byDay.slice(-DAYS);
  return (
    <Panel title="Same cause" aside="last 7 days">
      {days.length > 0 ? <Sparkline points={days.map((value) => ({ value, bad: value }))} label={daysText(days)} height={36} /> : null}
      <p className="mt-2">
        <b className="text-lg font-figure text-bad">{formatNumber(same.count)}</b>{' '}
        <span className="text-ink-2">
          runs of this agent failed with the same error
          {same.clients.length > 1 ? `, for ${joinWords(same.clients.slice(0, 3))}` : ''}. The last one started <Time iso={same.lastAt} />.
        </span>
      </p>
      <Link
        className="link"
        to="/dashboard/runs"
        search={{ started: '7d', status: 'FAILED', cause: same.code, agent: run.workflowId, client: undefined }}
      >
        Show all {formatNumber(same.count)} runs
      </Link>
      {same.notRerun === 0 ? (
        <p className="mt-3 text-ink-2">All of them were run again.</p>
      ) : (
        <div className="mt-3">
          <p className="mb-2 text-ink-2">Fix the cause first, then:</p>
          <RerunFailed causes={[same]} from={startOf('7d') ?? ''} cause={same.code} label={labelOf(same)} />
        </div>
      )}
    </Panel>
  );
}
