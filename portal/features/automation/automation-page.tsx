import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { useQuery } from '@tanstack/react-query';
import { Hammer, RefreshCw, RotateCcw, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Reply } from '../../app/api.ts';
import { formatClock, formatMoment } from '../../ui/text/format.ts';
import { useLive } from '../../app/use-live.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { TwelveSteps } from './twelve-steps.tsx';
import { TwoErrors } from './two-errors.tsx';
import { AttemptsPanel, InstancePanel, PreflightPanel, WorkflowsPanel } from './automation-panels.tsx';
import { ProvisionDialog } from './provision-dialog.tsx';
import { attemptsQuery, instanceQuery, preflightQuery, stepsQuery, takeStep } from './queries.ts';
import { groupSteps } from './step-groups.ts';
import { type TakeDown, TakeDownDialog } from './take-down-dialog.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/layout/section-header.css';

type Props = {
  partnerId: string;
  partnerName: string;
  slug: string | undefined;
  attemptId: string | undefined;
  onAttempt: (attemptId: string | undefined) => void;
};

const LOCKED = 'An attempt is running. Wait until it ends.';

/** Live steps of a provisioning attempt, internal and public errors, and the current preflight. */
export function AutomationPage({ partnerId, partnerName, slug, attemptId, onAttempt }: Props) {
  const [isInstalling, setInstalling] = useState(false);
  const [takeDown, setTakeDown] = useState<TakeDown>();
  const instance = useLoaded(instanceQuery(partnerId));
  const attempts = useQuery(attemptsQuery(partnerId));
  const steps = useLoaded(stepsQuery(partnerId, useDeferredValue(attemptId)));
  const preflight = useQuery(preflightQuery(partnerId));
  const refresh = useMemo(() => throttle(() => void refreshAfter('automationChanged', partnerId), 500), [partnerId]);
  const live = useLive({
    path: `/partners/${partnerId}/automation/stream`,
    onEvent: (event) => {
      if (!takeStep(partnerId, event)) refresh();
    },
    // The stream begins with the steps; what was compared with the engine is only read.
    onCatchUp: refresh,
  });
  const { status, canRepair } = instance;
  const isLocked = isHeld(status);
  const isReady = status === 'ready';
  const attempt = steps.attempt;
  // A new attempt has not failed yet, however the one before it ended.
  const isRunning = isLocked && attempt !== null && attempt?.finishedAt === null;
  const lastError = attempt?.error ?? (attemptId || isRunning ? null : instance.lastError);
  return (
    <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_280px]">
      <section>
        <div className="section-header">
          <h2>{attempt ? `Attempt ${attempt.number}` : 'No attempt yet'}</h2>
          {attempt ? (
            <>
              <Badge>{attempt.mode}</Badge>
              <span className="tabular-nums text-ink-3">{spanOf(attempt)}</span>
            </>
          ) : null}
          <div className="ml-auto flex items-center gap-2">
            <LiveDot state={live} />
            <Button
              kind="primary"
              icon={canRepair ? <Hammer aria-hidden /> : attempt ? <RefreshCw aria-hidden /> : undefined}
              disabledReason={isLocked ? LOCKED : undefined}
              onClick={() => setInstalling(true)}
            >
              {canRepair ? (isReady ? 'Repair' : 'Repair again') : status === 'failed' ? 'Provision again' : 'Provision'}
            </Button>
            <MoreMenu
              items={[
                {
                  label: 'Recreate',
                  icon: <RotateCcw aria-hidden />,
                  onPick: () => setTakeDown('recreate'),
                  danger: true,
                  disabledReason: isLocked ? LOCKED : isReady ? undefined : 'Only a ready instance can be recreated.',
                },
                {
                  label: 'Deprovision',
                  icon: <Trash2 aria-hidden />,
                  onPick: () => setTakeDown('deprovision'),
                  danger: true,
                  disabledReason: isLocked ? LOCKED : isReady || status === 'failed' ? undefined : 'Nothing is set up.',
                },
              ]}
            />
          </div>
        </div>
        {lastError ? (
          <TwoErrors
            lastError={lastError}
            errorPublic={attempt?.errorPublic ?? instance.errorPublic ?? 'Nothing'}
            note="The agency sees this on its Setup page."
          />
        ) : null}
        {attempt ? (
          <TwelveSteps groups={groupSteps(steps)} />
        ) : (
          <EmptyState title="Not provisioned yet">
            Choose Provision to set up this partner. The twelve steps appear here as they run.
          </EmptyState>
        )}
        <WorkflowsPanel workflows={instance.workflows} total={instance.workflowCount} />
      </section>
      <aside className="grid gap-4">
        <InstancePanel instance={instance} attempts={attempts.data ?? []} />
        <AttemptsPanel attempts={attempts.data ?? []} current={attempt?.id} onPick={onAttempt} />
        <PreflightPanel preflight={preflight.data} isChecking={preflight.isFetching} onCheck={() => void preflight.refetch()} />
      </aside>
      <ProvisionDialog
        mode={canRepair ? 'repair' : 'provision'}
        partnerId={partnerId}
        partnerName={partnerName}
        open={isInstalling}
        onClose={() => {
          setInstalling(false);
          onAttempt(undefined);
        }}
      />
      {slug ? (
        <TakeDownDialog
          mode={takeDown}
          partnerId={partnerId}
          partnerName={partnerName}
          slug={slug}
          instance={instance}
          onClose={() => setTakeDown(undefined)}
          onStarted={() => {
            setTakeDown(undefined);
            onAttempt(undefined);
          }}
        />
      ) : null}
    </div>
  );
}

function spanOf({ startedAt, finishedAt, requestedByName }: NonNullable<Reply<'listSteps'>['attempt']>): string {
  return `${formatMoment(startedAt)}${finishedAt ? ` to ${formatClock(finishedAt)}` : ', running'}${requestedByName ? `, by ${requestedByName}` : ''}`;
}
