import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import { lazyRouteComponent, Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useDeferredValue, useMemo } from 'react';
import { type Summary, summaryQuery } from '../../queries/agency.ts';
import { formatLongNow, formatNumber, inPlace, plural } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';
import { readerZone } from '../../ui/text/reader.ts';
import { useLive } from '../../app/use-live.ts';
import { useUser } from '../../app/session.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LowerPart } from '../../ui/layout/after-paint.tsx';
import { type Figure, Figures, PageHeader, Panel, Section } from '../../ui/layout/layout.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { StageList } from '../../shared/stage-progress.tsx';
import { AskTimezone } from './ask-timezone.tsx';
import { AttentionSection, dayOf } from './attention-list.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { Checklist } from './checklist.tsx';
import { ClientsPanel } from './clients-panel.tsx';
import { CreditsPanel } from './credits-panel.tsx';
import { FirstRunNote, isBeforeFirstRun } from './first-run-note.tsx';
import { Part } from '../../shared/part.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { RequestsUnderWay } from './requests-under-way.tsx';
import { SampleDataNote } from './sample-data-note.tsx';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

/** Only a new agency needs it. */
const FirstStepsPart = lazyRouteComponent(() => import('./first-steps-page.tsx'), 'FirstStepsPart');

type Props = { clientId: string | undefined; actions: ReactNode } & ComponentProps<typeof FirstStepsPart>;

/** The partner's overview: today's figures, credits, attention items and latest executions; before the first run its first steps. */
export function OverviewPage({ clientId, actions, ...firstSteps }: Props) {
  const user = useUser();
  useTitle('Overview', user.partner.name);
  // The figures shown stay until those of the chosen client have been read.
  const shownClientId = useDeferredValue(clientId);
  const data = useLoaded(summaryQuery(shownClientId));
  const isNew = isBeforeFirstRun(data);
  const refresh = useMemo(() => throttle(() => void refreshAfter('summaryOutdated'), 5000), []);
  const live = useLive({
    path: `/executions/stream${clientId ? `?clientId=${clientId}` : ''}`,
    onEvent: refresh,
    onCatchUp: refresh,
    continues: keys.summary.all,
  });
  const isBeingSetUp = data.setup && data.setup.status !== 'ready' && data.setup.status !== 'unprovisioned';
  useLive({
    path: isBeingSetUp ? '/partners/me/automation/stream' : undefined,
    onEvent: refresh,
    onCatchUp: refresh,
    beginsWhole: true,
  });
  return (
    <>
      <PageHeader title="Overview" meta={formatLongNow(data.now, readerZone())} actions={actions} />
      <SampleDataNote endsAt={data.sampleDataEndsAt} />
      <AskTimezone />
      <FirstRunNote summary={data} />
      {isNew ? (
        <Part id="first-steps" skeleton={<SkeletonRows rows={7} label="Loading the first steps" />}>
          <FirstStepsPart {...firstSteps} />
        </Part>
      ) : (
        <>
          <Checklist items={data.checklist} dismissedAt={data.checklistDismissedAt} />
          <Figures items={figuresOf(data)} />
          <div className="mb-6 grid gap-6 rail:grid-cols-[minmax(0,1fr)_340px]">
            <HoursPanel summary={data} />
            <CreditsPanel summary={data} isOfClient={shownClientId !== undefined} />
          </div>
        </>
      )}
      <LowerPart page="overview">
        <div className="grid gap-x-6 rail:grid-cols-[minmax(0,1fr)_340px]">
          <AttentionSection
            summary={data}
            clientId={clientId}
            aside={
              data.openAlerts > 0 ? (
                <Link to="/dashboard/alerts" className="link text-xs">
                  {plural(data.openAlerts, 'open alert')}
                </Link>
              ) : undefined
            }
          />
          {isBeingSetUp && data.setup ? (
            <Section
              title="Setup in progress"
              aside={
                <Link to="/dashboard/setup" className="link text-xs">
                  View progress
                </Link>
              }
            >
              <Panel>
                <StageList stages={data.setup.stages} />
                {data.setup.errorPublic ? <p className="mt-2 text-bad text-pretty">{shownSetupError(data.setup.errorPublic)}</p> : null}
              </Panel>
            </Section>
          ) : (
            <RequestsUnderWay clientId={clientId} />
          )}
        </div>
        {clientId || isNew ? null : <ClientsPanel />}
        {isNew ? null : (
          <Section
            title="Latest runs"
            aside={
              <>
                <LiveDot state={live} />
                <Link to="/dashboard/runs" className="link ml-1 text-xs">
                  All runs
                </Link>
              </>
            }
          >
            {data.latestRuns.length === 0 ? (
              <EmptyState title="No runs yet">Runs appear here as soon as an event reaches one of your agents.</EmptyState>
            ) : (
              <LatestRuns runs={data.latestRuns} who={(run) => run.clientName} />
            )}
          </Section>
        )}
      </LowerPart>
    </>
  );
}

/** A full list holds as many (POR-22). */
const KEYS_LISTED = { missing_key: 20, key_failing: 10 };

function figuresOf({ now, timezone, today, counts, attention, hasMoreAttention }: Summary): Figure[] {
  const where = inPlace(timezone);
  const countOf = (of: keyof typeof KEYS_LISTED): number => attention.filter(({ kind }) => kind === of).length;
  const keys = (of: keyof typeof KEYS_LISTED, word: string): string =>
    hasMoreAttention && countOf(of) >= KEYS_LISTED[of] ? `${countOf(of)}+ ${word}s` : plural(countOf(of), word);
  const [missingKeys, refusedKeys] = [countOf('missing_key'), countOf('key_failing')];
  const weekday = dateFormat('en-GB', { weekday: 'long', timeZone: timezone }).format(new Date(now));
  const ended = today.succeeded + today.failed;
  const change = today.runs - today.lastWeekByNow;
  return [
    {
      label: 'Runs today',
      value: formatNumber(today.runs),
      note:
        today.lastWeekByNow === 0
          ? // A new workspace has no last week.
            today.runs === 0
            ? `none yet today${where}`
            : `none last ${weekday} at this time${where}`
          : change === 0
            ? `the same as last ${weekday} at this time${where}`
            : `${formatNumber(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than last ${weekday} at this time${where}`,
    },
    {
      label: 'Without a failure',
      value: ended === 0 ? '–' : ((today.succeeded / ended) * 100).toFixed(ended > 99 ? 1 : 0),
      unit: ended === 0 ? '' : '%',
      note: today.failed ? (
        <Link to="/dashboard/runs" search={{ status: 'FAILED', started: dayOf(timezone) }} className="hover:underline">
          <span className="text-bad">{formatNumber(today.failed)} failed</span>, {plural(today.failureCauses, 'cause')}
        </Link>
      ) : (
        'none failed'
      ),
    },
    { label: 'Texts sent', value: formatNumber(today.textsSent), note: `today${where}` },
    {
      label: 'Hours saved',
      value: formatNumber(Math.round(today.hoursSavedMonth * 10) / 10),
      note: `this month, ${Math.round(today.hoursSaved * 10) / 10} today${where}`,
    },
    {
      label: 'Agents on',
      value: formatNumber(counts.agentsOn),
      unit: ` of ${counts.agents}`,
      note: counts.agentsFailing ? (
        <Link to="/dashboard/agents" search={{ health: 'failing' }} className="text-bad hover:underline">
          {counts.agentsFailing} failing
        </Link>
      ) : missingKeys > 0 ? (
        // An agent lacks it, which a refused key need not be true of.
        <Link to="/dashboard/integrations" className="text-warn hover:underline">
          {keys('missing_key', 'missing key')}
        </Link>
      ) : refusedKeys > 0 ? (
        <Link to="/dashboard/integrations" className="text-bad hover:underline">
          {keys('key_failing', 'refused key')}
        </Link>
      ) : (
        <Link to="/dashboard/agents" className="hover:underline">
          none failing
        </Link>
      ),
    },
  ];
}
