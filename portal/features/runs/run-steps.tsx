import { maskJson } from '@partner-portal/core/template/mask.ts';
import { Link } from '@tanstack/react-router';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { ReactNode } from 'react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { TimelineStep } from './run-timeline.tsx';
import { fixFor, isKeyProblem } from './fixes.ts';
import type { RunDetail } from './queries.ts';

type Context = {
  run: RunDetail;
  isMasked: boolean;
  providerOf: (stepName: string) => Provider | null;
  onEdit: () => void;
  editRefusal: string | undefined;
};

/** Timeline of an execution: event, steps and report. Payloads are masked until revealed. */
export function timelineOf(context: Context): TimelineStep[] {
  const { run } = context;
  return [triggerStep(context), ...run.steps.map((step) => stepRow(context, step)), reportStep(run)];
}

function triggerStep({ run, isMasked }: Context): TimelineStep {
  const first = run.steps.find((step) => step.startedAt !== null)?.startedAt;
  const waitedMs = first ? Math.max(0, Date.parse(first) - Date.parse(run.startedAt)) : undefined;
  return {
    key: 'trigger',
    name: 'Event received',
    kind: 'trigger',
    status: 'succeeded',
    offsetMs: waitedMs === undefined ? undefined : 0,
    durationMs: waitedMs,
    sentence: run.input ? `Received ${plural(Object.keys(run.input).length, 'field')}.` : 'The event was deleted.',
    ...(run.input ? { body: <JsonViewer name="Event" value={masked(run.input, isMasked)} /> } : {}),
  };
}

function stepRow(context: Context, step: RunDetail['steps'][number]): TimelineStep {
  const { run, isMasked, providerOf } = context;
  const provider = providerOf(step.name);
  const service = provider && provider !== 'code' ? PROVIDERS[provider].name : 'code';
  const isFailed = step.status === 'failed';
  const payloads =
    step.input !== undefined || step.output !== undefined ? (
      <div
        className={`grid gap-3 [&_pre]:max-h-[340px] [&_pre]:overflow-auto ${step.input !== undefined && step.output !== undefined ? 'md:grid-cols-2' : ''}`}
      >
        {step.input === undefined ? null : (
          <JsonViewer name={service === 'code' ? 'Input' : `Sent to ${service}`} value={masked(step.input, isMasked)} />
        )}
        {step.output === undefined ? null : (
          <JsonViewer name={service === 'code' ? 'Output' : 'Response'} value={masked(step.output, isMasked)} />
        )}
      </div>
    ) : null;
  const body = isFailed ? (
    <div className="grid gap-3">
      <FailureNote {...context} message={step.error} />
      {payloads}
    </div>
  ) : (
    payloads
  );
  return {
    key: step.name,
    name: step.label,
    kind: service,
    status: step.status,
    offsetMs: step.startedAt === null ? undefined : Math.max(0, Date.parse(step.startedAt) - Date.parse(run.startedAt)),
    durationMs: step.durationMs ?? undefined,
    sentence:
      step.status === 'skipped' && run.status === 'FAILED' && !step.error
        ? 'Not reached.'
        : sentenceOf(step.status, service, isFailed ? null : step.error),
    ...(body ? { body } : {}),
  };
}

function reportStep(run: RunDetail): TimelineStep {
  const base = { key: 'report', name: 'Report', kind: 'always runs', durationMs: undefined };
  if (run.status === 'RUNNING') return { ...base, status: 'pending', offsetMs: undefined, sentence: 'Waiting for the last step.' };
  const isUnheard = run.error?.code === 'timeout' || run.error?.code === 'dispatch_failed';
  if (isUnheard)
    return { ...base, status: 'failed', offsetMs: undefined, sentence: 'No result arrived. No credits charged.', body: undefined };
  const charge =
    run.creditsCharged === 0
      ? 'No credits charged.'
      : `${formatNumber(run.creditsCharged)} ${run.creditsCharged === 1 ? 'credit was' : 'credits were'} charged.`;
  return {
    ...base,
    status: 'succeeded',
    offsetMs: run.durationMs ?? undefined,
    sentence: `Reported that the run ${run.status === 'FAILED' ? 'failed' : 'succeeded'}${run.late ? ', after its deadline' : ''}. ${charge}`,
  };
}

function sentenceOf(status: RunDetail['steps'][number]['status'], service: string, note: string | null): ReactNode {
  if (note) return note;
  if (status === 'failed') return null;
  if (status === 'skipped') return 'Not needed in this run.';
  if (status === 'pending') return 'Not reached yet.';
  if (status === 'running') return service === 'code' ? 'Working.' : `Waiting for ${service}.`;
  return service === 'code' ? 'Done.' : `${service} accepted it.`;
}

/** The error of a step, its fix and the actions. */
export function FailureNote({
  run,
  message,
  onEdit,
  editRefusal,
}: Pick<Context, 'run' | 'onEdit' | 'editRefusal'> & { message?: string | null }) {
  const code = run.error?.code ?? '';
  const fix = fixFor(code);
  return (
    <Note tone="bad">
      <p className="font-semibold">{message ?? run.error?.message ?? 'This step failed.'}</p>
      {fix ? (
        <p className="mt-1">
          <b>To fix it:</b> {fix}
        </p>
      ) : null}
      <div className="mt-2.5 flex flex-wrap gap-2">
        {isKeyProblem(code) ? (
          <Link to="/dashboard/integrations" className={buttonClass('default', 'sm')}>
            Open Integrations
          </Link>
        ) : (
          <Button size="sm" disabledReason={editRefusal} onClick={onEdit}>
            Edit input and rerun
          </Button>
        )}
      </div>
    </Note>
  );
}

/** Masks phone numbers and e-mail addresses unless revealed. */
export function masked(value: Json, isMasked: boolean): Json {
  return isMasked ? maskJson(value) : value;
}
