import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Eye, EyeOff, Link2, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { formatMoment } from '../../ui/text/format.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useLive } from '../../app/use-live.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { RUN_STATUS, RUN_WAITS_FOR } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { workflowQuery } from '../../queries/agents.ts';
import { EditInputDialog, type JsonObject } from '../../shared/edit-input-dialog.tsx';
import { EventSection } from './event-section.tsx';
import { type RunDetail, runDetailQuery } from './queries.ts';
import { RunAside } from './run-aside.tsx';
import { FailureNote, timelineOf } from './run-steps.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

/** One execution from event to report, with rerun. */
export function RunPage({ id }: { id: string }) {
  return <RunView run={useLoaded(runDetailQuery(id))} />;
}

function RunView({ run }: { run: RunDetail }) {
  const user = useUser();
  const refusal = useRefusal('runs.rerun');
  const [isMasked, setMasked] = useState(true);
  const [isEditing, setEditing] = useState(false);
  const workflow = useQuery(workflowQuery(run.workflowId));
  const rerun = useRerun(run);
  useTitle(run.summary, user.partner.name);
  useBreadcrumb(run.agentName);
  useLive({
    path: run.status === 'RUNNING' ? `/executions/stream?workflowId=${run.workflowId}` : undefined,
    onEvent: ({ data }) => {
      if (data.includes(run.id)) void refreshAfter('runChanged', run.id);
    },
    onCatchUp: () => void refreshAfter('runChanged', run.id),
    pollMs: 5000,
  });
  const reason = refusal ?? (run.status === 'RUNNING' ? 'This run has not ended yet.' : undefined);
  const rerunReason = reason ?? (run.payloadExpired ? 'The event was deleted. Edit the input to run it.' : undefined);
  const stepFailed = run.steps.some((step) => step.status === 'failed');
  const inputs = workflow.data?.inputs ?? [];
  const edit = (): void => setEditing(true);
  const steps = timelineOf({
    run,
    isMasked,
    onEdit: edit,
    editRefusal: reason,
    providerOf: (name) => workflow.data?.definition.steps.find((step) => step.name === name)?.provider ?? null,
  });
  const emptyInput = Object.fromEntries(inputs.map((input) => [input.key, '']));
  return (
    <>
      <PageHeader
        title={run.status === 'FAILED' ? (run.error?.message ?? run.summary) : run.summary}
        badge={<Badge mark={RUN_STATUS[run.status].mark}>{run.waitsFor ? RUN_WAITS_FOR[run.waitsFor] : RUN_STATUS[run.status].word}</Badge>}
        meta={
          <>
            {run.agentName}
            {run.clientId ? (
              <>
                {' '}
                for{' '}
                <Link className="link" to="/dashboard/clients/$id" params={{ id: run.clientId }}>
                  {run.clientName}
                </Link>
              </>
            ) : null}
            , {formatMoment(run.startedAt)}
          </>
        }
        actions={
          <>
            <Neighbours run={run} />
            <Button
              icon={<Link2 aria-hidden />}
              onClick={() => void navigator.clipboard.writeText(location.origin + location.pathname).then(() => announce('Link copied.'))}
            >
              Copy link
            </Button>
            <Button
              icon={<RotateCw aria-hidden />}
              disabledReason={rerunReason}
              busy={rerun.isPending && !isEditing && 'Starting'}
              onClick={() => rerun.mutate(undefined)}
            >
              Rerun
            </Button>
            <Button kind="primary" disabledReason={reason} onClick={edit}>
              Edit input and rerun
            </Button>
          </>
        }
      />
      <div className="grid gap-x-8 gap-y-6 rail:grid-cols-[minmax(0,1fr)_272px]">
        <div className="min-w-0">
          {run.status === 'FAILED' && !stepFailed ? (
            <div className="mb-4">
              <FailureNote run={run} onEdit={edit} editRefusal={reason} />
            </div>
          ) : null}
          <div className="mb-1 flex justify-end">
            <Button
              size="sm"
              kind="quiet"
              icon={isMasked ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
              aria-pressed={!isMasked}
              onClick={() => setMasked(!isMasked)}
            >
              {isMasked ? 'Show personal data' : 'Hide personal data'}
            </Button>
          </div>
          <RunTimeline
            key={run.id + run.status}
            steps={steps}
            totalMs={Math.max(run.durationMs ?? Date.now() - Date.parse(run.startedAt), 1)}
          />
          <EventSection run={run} inputs={inputs} isMasked={isMasked} />
        </div>
        <RunAside run={run} />
      </div>
      <EditInputDialog
        open={isEditing}
        onClose={() => setEditing(false)}
        title="Edit input and rerun"
        note="This starts a new run that may send real messages. The original run is unchanged."
        input={run.input ?? emptyInput}
        labels={Object.fromEntries(inputs.map((input) => [input.key, input.label]))}
        action="Rerun"
        busy={rerun.isPending && 'Starting'}
        onSubmit={(input) => rerun.mutate(input)}
      />
    </>
  );
}

function useRerun(run: RunDetail) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (input: JsonObject | undefined) => api.rerunExecution({ params: { id: run.id }, ...(input ? { body: { input } } : {}) }),
    onSuccess: ({ executionId }) => {
      announce('Run restarted.');
      void refreshAfter('runRepeated');
      void navigate({ to: '/dashboard/runs/$id', params: { id: executionId } });
    },
    onError: (error) => announceError(error),
  });
}

/** Previous and next execution of the agent; shortcuts [ and ]. */
function Neighbours({ run }: { run: RunDetail }) {
  const navigate = useNavigate();
  const open = (id: string | null) => (): void => {
    if (id) void navigate({ to: '/dashboard/runs/$id', params: { id }, replace: true });
  };
  useKeys([
    { keys: '[', label: 'Previous run', group: 'This page', run: open(run.previousId) },
    { keys: ']', label: 'Next run', group: 'This page', run: open(run.nextId) },
  ]);
  return (
    <span className="flex">
      <IconButton
        label="Previous run"
        disabledReason={run.previousId ? undefined : 'There is no earlier run.'}
        onClick={open(run.previousId)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton label="Next run" disabledReason={run.nextId ? undefined : 'There is no later run.'} onClick={open(run.nextId)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </span>
  );
}
