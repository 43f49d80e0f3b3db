import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Eye, EyeOff, Link2, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { formatMoment, joinWords } from '../../ui/text/format.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useLive } from '../../app/use-live.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { KEY_CALLS } from '../../shared/run-cost.ts';
import { runState } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/controls/copy-link.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { Dialog, DialogActions, holdFocus } from '../../ui/overlays/dialog.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { workflowQuery } from '../../queries/agents.ts';
import { EditInputDialog, type JsonObject } from '../../shared/edit-input-dialog.tsx';
import { whyTextedNoOne } from '../../shared/no-text.ts';
import { Recipients, recipientsOf } from '../../shared/recipients.tsx';
import { useInputErrors } from '../../shared/use-input-errors.ts';
import { useSend } from '../../shared/use-send.ts';
import { EventSection } from './event-section.tsx';
import { type RunDetail, runDetailQuery } from '../../queries/runs.ts';
import { RunAside } from './run-aside.tsx';
import { FailureNote, masked, timelineOf } from './run-steps.tsx';
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
  const [isAsking, setAsking] = useState(false);
  const workflow = useQuery(workflowQuery(run.workflowId));
  const refused = useInputErrors();
  // Outside the dialog, no field could show it.
  const rerun = useRerun(run, (error) => isEditing && refused.onFailed(error));
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
  const noText = whyTextedNoOne(run.output);
  const edit = (): void => setEditing(true);
  const hasSucceeded = run.status === 'SUCCEEDED';
  const again = run.lastRerun?.status === 'FAILED' ? null : run.lastRerun;
  const start = (): void => (hasSucceeded || again ? setAsking(true) : rerun.send(undefined));
  const steps = timelineOf({
    run,
    isMasked,
    inputs,
    onEdit: edit,
    onRerun: start,
    editRefusal: reason,
    rerunRefusal: rerunReason,
    providerOf: (name) => workflow.data?.definition.steps.find((step) => step.name === name)?.provider ?? null,
  });
  const people = recipientsOf(inputs, masked(run.input ?? {}, isMasked) as JsonObject); // an object stays one
  const emptyInput = Object.fromEntries(inputs.map((input) => [input.key, '']));
  return (
    <>
      <PageHeader
        title={run.status === 'FAILED' ? (run.error?.message ?? run.summary) : run.summary}
        badge={<Badge mark={runState(run).mark}>{runState(run).word}</Badge>}
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
              onClick={() => void copyText(location.origin + location.pathname).then((isCopied) => isCopied && announce('Link copied.'))}
            >
              Copy link
            </Button>
            <Button
              icon={<RotateCw aria-hidden />}
              disabledReason={rerunReason}
              busy={rerun.isSending && !isEditing && 'Starting'}
              onClick={start}
            >
              Rerun
            </Button>
            <Button kind={hasSucceeded ? 'default' : 'primary'} disabledReason={reason} onClick={edit}>
              Edit input and rerun
            </Button>
          </>
        }
      />
      <div className="grid gap-x-8 gap-y-6 rail:grid-cols-[minmax(0,1fr)_272px]">
        <div className="min-w-0">
          {run.status === 'FAILED' && !stepFailed ? (
            <div className="mb-4">
              <FailureNote run={run} isMasked={isMasked} onEdit={edit} onRerun={start} editRefusal={reason} rerunRefusal={rerunReason} />
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
        onClose={() => {
          setEditing(false);
          refused.clear();
        }}
        title="Edit input and rerun"
        note={`This starts a new run. The original run is unchanged.${noText === undefined ? '' : ` It texted no one: ${noText}.`} If it succeeds, it costs credits; ${KEY_CALLS}.`}
        confirm={(input, change) => <Recipients inputs={inputs} input={input} given={run.input ?? {}} onChange={change} />}
        input={run.input ?? emptyInput}
        labels={Object.fromEntries(inputs.map((input) => [input.key, input.label]))}
        action="Rerun"
        busy={rerun.isSending && 'Starting'}
        errors={refused.errors}
        onSubmit={rerun.send}
      />
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={hasSucceeded ? 'Rerun a run that succeeded?' : 'Rerun it once more?'}>
        <p className="text-ink-2">
          {again ? `This run was run again, and that run ${again.status === 'RUNNING' ? 'has not ended yet' : 'succeeded'}. ` : ''}
          {noText === undefined ? null : (
            <>
              <b>The run texted no one:</b> {noText}.{' '}
            </>
          )}
          {people.length > 0 ? (
            <>
              It can send <b>{joinWords(people)}</b> once more.
            </>
          ) : (
            'Everything it did happens again.'
          )}{' '}
          If it succeeds, it costs credits again; {KEY_CALLS}.
        </p>
        <DialogActions>
          <Button ref={holdFocus} onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button kind="primary" busy={rerun.isSending && 'Starting'} onClick={() => rerun.send(undefined)}>
            Rerun
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function useRerun(run: RunDetail, onFailed: (error: unknown) => boolean) {
  const navigate = useNavigate();
  return useSend({
    call: (input: JsonObject | undefined, key) =>
      api.rerunExecution({ params: { id: run.id }, headers: { 'idempotency-key': key }, ...(input ? { body: { input } } : {}) }),
    onSent: ({ executionId }) => {
      announce('Run restarted.');
      void refreshAfter('runRepeated');
      void navigate({ to: '/dashboard/runs/$id', params: { id: executionId } });
    },
    onFailed,
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
