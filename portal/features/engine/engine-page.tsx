import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { engineQuery } from '../../queries/engine.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { formatDuration, formatMinute, formatToMinute, formatNumber, plural } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { ENGINE_HEALTH } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Figures, KeyValues, PageHeader, Panel } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { WorkerNote } from '../../shared/worker-note.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { explain } from '../../app/errors.ts';
import { useLoaded } from '../../app/route-data.ts';

type Engine = Reply<'getEngine'>;

/** Engine health, session and executions of the last 24 hours. */
export function EnginePage() {
  useTitle('Engine');
  const engine = useQuery({ ...engineQuery, refetchInterval: 15_000 });
  const data = useLoaded(engineQuery);
  const { mark, word } = ENGINE_HEALTH[data.health];
  return (
    <>
      <PageHeader
        title="Engine"
        badge={<Badge mark={mark}>{word}</Badge>}
        meta={data.embedded ? 'Embedded engine, managed by this service' : `The engine at ${data.baseUrl ?? 'no address'}`}
        actions={
          <Button icon={<RefreshCw aria-hidden />} busy={engine.isFetching && 'Checking'} onClick={() => void engine.refetch()}>
            Check now
          </Button>
        }
      />
      <HealthNote engine={data} />
      <WorkerNote workers={data.workers} />
      {data.tenancyMessage ? (
        <div className="mb-5">
          <Note tone="warn">{data.tenancyMessage}</Note>
        </div>
      ) : null}
      <Figures items={figuresOf(data)} />
      <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid gap-6">
          <DayPanel engine={data} />
          <StuckPanel count={data.stuckAttempts} />
          <RefusedPanel failures={data.callbackFailures} />
        </div>
        <div className="grid gap-4">
          <GatePanel engine={data} />
          <AddressPanel engine={data} />
          <SessionPanel engine={data} />
        </div>
      </div>
    </>
  );
}

const FOLLOWS: Record<Exclude<Engine['health'], 'ok' | 'disabled'>, string> = {
  down: 'Events are still accepted and wait for the engine.',
  degraded: 'Runs continue.',
};

/** The switch is one for provisioning; the embedded engine is not started either. */
function followsOf(health: Exclude<Engine['health'], 'ok'>, embedded: boolean): string {
  if (health !== 'disabled') return FOLLOWS[health];
  return embedded
    ? 'Provisioning is unavailable, and runs wait for the engine until they fail.'
    : 'Provisioning is unavailable. Installed agents still run: deactivate an agent or suspend its account to stop it.';
}

function HealthNote({ engine: { health, message, embedded } }: { engine: Engine }) {
  if (health === 'ok') return null;
  return (
    <div className="mb-5">
      <Note tone={health === 'down' ? 'bad' : 'warn'}>
        <p>
          <b>{message ?? 'The engine is not healthy.'}</b> {followsOf(health, embedded)}
        </p>
      </Note>
    </div>
  );
}

function figuresOf({ responseMs, runs24h, stuckAttempts, callbackFailures }: Engine) {
  // Those that timed out have failed.
  const ended = runs24h.succeeded + runs24h.failed;
  return [
    { label: 'Response time', value: responseMs === null ? '–' : formatDuration(responseMs), note: 'at the last check' },
    {
      label: 'Runs ended in 24 h',
      value: formatNumber(ended),
      note: runs24h.failed ? <span className="text-bad">{formatNumber(runs24h.failed)} failed</span> : 'none failed',
    },
    {
      label: 'Running now',
      value: formatNumber(runs24h.running),
      note: runs24h.waiting ? (
        <span className="text-warn">
          {formatNumber(runs24h.waiting)} {runs24h.waiting === 1 ? 'waits' : 'wait'} for the engine
        </span>
      ) : (
        'none waiting'
      ),
    },
    { label: 'Timed out', value: formatNumber(runs24h.timedOut), note: 'in 24 h' },
    {
      label: 'Stuck attempts',
      value: formatNumber(stuckAttempts),
      note: stuckAttempts ? <span className="text-warn">past their time</span> : 'none',
    },
    {
      label: 'Reports refused',
      value: formatNumber(callbackFailures.total),
      note: callbackFailures.total ? <span className="text-warn">in 24 h</span> : 'none in 24 h',
    },
  ];
}

function DayPanel({ engine: { byHour } }: { engine: Engine }) {
  const bars = byHour.map((row, at) => ({
    label: formatMinute(row.at).slice(0, 2),
    title: formatMinute(row.at),
    value: row.succeeded + row.failed,
    bad: row.failed,
    isCurrent: at === byHour.length - 1,
  }));
  const isIdle = bars.every((bar) => bar.value === 0);
  return (
    <Panel title="Last 24 hours" aside={<ChartLegend value="Runs" bad="Failed" current="This hour" />} flush>
      {isIdle ? (
        <div className="p-4">
          <EmptyState title="No runs in the last 24 hours">Finished runs of all agencies appear here by hour.</EmptyState>
        </div>
      ) : (
        <BarChart bars={bars} label="Runs of the last 24 hours by the hour" names={{ bucket: 'Hour', value: 'Runs', bad: 'Failed' }} />
      )}
    </Panel>
  );
}

function StuckPanel({ count }: { count: number }) {
  return (
    <Panel title="Stuck attempts" aside={count || undefined}>
      {count === 0 ? (
        <p className="text-ink-2">No provisioning attempt is past its time limit.</p>
      ) : (
        <p>
          <b>{plural(count, 'attempt')}</b> {count === 1 ? 'is' : 'are'} past the time limit and will be ended automatically. You can
          provision again after that.{' '}
          <Link className="link" to="/admin/partners" search={{ automationStatus: 'provisioning' }}>
            Partners being set up
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** What happened, and what staff can do about it. */
const REFUSALS: Record<Engine['callbackFailures']['byReason'][number]['reason'], { what: string; act: string }> = {
  bad_token: {
    what: 'No valid token',
    act: 'Expected for runs that were under way when AUTOMATION_CALLBACK_SECRET was changed. Otherwise someone else calls the address: see the addresses in the log.',
  },
  unknown_run: {
    what: 'Run not found',
    act: 'Its account or agent was deleted, or the database was restored from a backup. Nothing to do once they stop.',
  },
  unreadable: {
    what: 'Body could not be read',
    act: 'It is not JSON or broke off on the way: check the proxies between the engine and this service.',
  },
  invalid: {
    what: 'Fields not accepted',
    act: 'The flow differs from its template: compare the flows of the agencies and repair those that differ.',
  },
  too_large: {
    what: 'Report too large',
    act: 'The steps of a run returned more than a report may hold. Find the agent among the runs that take long to end.',
  },
  rate_limited: {
    what: 'No valid token, and too many of them',
    act: 'One address sent more than a hundred in a minute. If it is the engine’s own, many chatbots or runs with an earlier callback secret are at work.',
  },
  unavailable: {
    what: 'Could not be stored',
    act: 'The database was away or the memory for reports was full. The flows send these reports again.',
  },
};

function RefusedPanel({ failures: { total, byReason } }: { failures: Engine['callbackFailures'] }) {
  return (
    <Panel title="Reports refused" aside={total ? formatNumber(total) : undefined}>
      {total === 0 ? (
        <p className="text-ink-2">Every report of a run in the last 24 hours was accepted.</p>
      ) : (
        <>
          <ul className="grid gap-3">
            {byReason.map(({ reason, reports }) => (
              <li key={reason} className="grid grid-cols-[1fr_auto] gap-x-4">
                <b className="font-medium">{REFUSALS[reason].what}</b>
                <span className="tabular-nums">{formatNumber(reports)}</span>
                <p className="max-w-[62ch] text-sm text-ink-2 text-pretty">{REFUSALS[reason].act}</p>
              </li>
            ))}
          </ul>
          <p className="mt-3 border-t border-line-soft pt-2 text-xs text-ink-3">
            In the last 24 hours. A run whose report was refused still ends: the engine is asked for its result.
          </p>
        </>
      )}
    </Panel>
  );
}

function GatePanel({ engine }: { engine: Engine }) {
  return (
    <Panel title="Feature gate">
      <KeyValues
        rows={[
          [
            'Provisioning',
            engine.enabled ? (
              <b key="e" className="font-medium text-ok">
                on
              </b>
            ) : (
              <b key="e" className="font-medium text-warn">
                off
              </b>
            ),
          ],
          ['Setting', <code key="s">AUTOMATION_ENGINE_ENABLED</code>],
          ['Tenancy', engine.tenancyMode],
        ]}
      />
      <p className="mt-2 border-t border-line-soft pt-2 text-xs text-ink-3">
        {engine.tenancyMode === 'shared'
          ? 'All agencies share one engine project; this service isolates them.'
          : 'Each agency has its own engine project.'}
      </p>
    </Panel>
  );
}

function AddressPanel({ engine }: { engine: Engine }) {
  return (
    <Panel title="Engine">
      <KeyValues
        rows={[
          ['Kind', engine.embedded ? 'embedded' : 'external'],
          ['Edition', engine.edition],
          ['Version', engine.version ?? '–'],
          [
            'Base URL',
            engine.baseUrl ? (
              <code key="b" title={engine.baseUrl}>
                {engine.baseUrl}
              </code>
            ) : (
              '–'
            ),
          ],
          [
            'Project ID',
            engine.projectId ? (
              <span key="p" className="inline-flex items-center gap-1.5">
                <code className="truncate" title={engine.projectId}>
                  {engine.projectId}
                </code>
                <CopyButton text={engine.projectId} icon />
              </span>
            ) : (
              '–'
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function SessionPanel({ engine: { session, enabled } }: { engine: Engine }) {
  const refresh = useMutation({
    mutationFn: () => api.refreshEngine({}),
    onSuccess: (engine) => {
      queryClient.setQueryData(engineQuery.queryKey, engine);
      const { expiresAt } = engine.session;
      announce(`Logged in to the engine again.${expiresAt === null ? '' : ` The session expires ${formatToMinute(expiresAt)}.`}`);
    },
    // The former session is gone, and the health may differ.
    onError: () => refreshAfter('engineSessionLost'),
  });
  return (
    <Panel title="Session">
      <KeyValues
        rows={[
          ['Logged in', <Time key="i" iso={session.signedInAt} style="long" />],
          ['Expires', <Time key="e" iso={session.expiresAt} style="long" />],
        ]}
      />
      <p className="mt-2 border-t border-line-soft pt-2 text-xs text-ink-3">
        {session.signedInAt ? 'Renewed automatically before it expires.' : 'The service logs in on its next call to the engine.'}
      </p>
      <div className="mt-3 grid justify-items-start gap-3">
        {refresh.error ? (
          <Note tone="bad" alert>
            <p>
              <b>There is no new session.</b> {explain(refresh.error).detail}
            </p>
          </Note>
        ) : null}
        <Button
          size="sm"
          busy={refresh.isPending && 'Logging in'}
          disabledReason={enabled ? undefined : 'The engine is switched off.'}
          onClick={() => refresh.mutate()}
        >
          Refresh session
        </Button>
      </div>
    </Panel>
  );
}
