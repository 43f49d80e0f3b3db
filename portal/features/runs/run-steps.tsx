import { plain } from '@partner-portal/core/template/placeholders.ts';
import { maskJson } from '@partner-portal/core/template/mask.ts';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { ReactNode } from 'react';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { RepairLink, repairOf } from '../../shared/run-repair.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { TimelineStep } from './run-timeline.tsx';
import type { Workflow } from '../../queries/agents.ts';
import type { RunDetail } from '../../queries/runs.ts';

type Context = {
  run: RunDetail;
  isMasked: boolean;
  inputs: NonNullable<Workflow['inputs']>;
  providerOf: (stepName: string) => Provider | null;
  onEdit: () => void;
  onRerun: () => void;
  editRefusal: string | undefined;
  rerunRefusal: string | undefined;
};
type Acts = 'onEdit' | 'onRerun' | 'editRefusal' | 'rerunRefusal';

/** Timeline of an execution: event, steps and report. Payloads are masked until revealed. */
export function timelineOf(context: Context): TimelineStep[] {
  const { run } = context;
  return [triggerStep(context), ...run.steps.map((step) => stepRow(context, step)), reportStep(run)];
}

function triggerStep({ run, isMasked, inputs }: Context): TimelineStep {
  const first = run.steps.find((step) => step.startedAt !== null)?.startedAt;
  const waitedMs = first ? Math.max(0, Date.parse(first) - Date.parse(run.startedAt)) : undefined;
  return {
    key: 'trigger',
    name: 'Event received',
    kind: 'trigger',
    status: 'succeeded',
    offsetMs: waitedMs === undefined ? undefined : 0,
    durationMs: waitedMs,
    sentence: run.input ? arrivedSentence(run.input, inputs, isMasked) : 'The event was deleted.',
    ...(run.input ? { body: <JsonViewer name="Event" value={masked(run.input, isMasked)} /> } : {}),
  };
}

const NAMED = 2;

/** What arrived, by the agent's own names: "Caller's number +1 312 ··· 0148, business number +1 312 555 0100." */
function arrivedSentence(input: NonNullable<RunDetail['input']>, inputs: Context['inputs'], isMasked: boolean): string {
  const named = inputs.flatMap(({ key, label }) => {
    const value = masked(input[key] ?? null, isMasked);
    return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && value.length <= 60)
      ? [`${label} ${value}`]
      : [];
  });
  const others = Object.keys(input).length - Math.min(named.length, NAMED);
  if (named.length === 0) return `Received ${plural(others, 'field')}.`;
  return `${named.slice(0, NAMED).join(', ')}${others > 0 ? `, and ${plural(others, 'more field')}` : ''}.`;
}

function stepRow(context: Context, step: RunDetail['steps'][number]): TimelineStep {
  const { run, isMasked, providerOf } = context;
  const provider = providerOf(step.name);
  const service = provider && provider !== 'code' ? PROVIDERS[provider].name : 'code';
  const isFailed = step.status === 'failed';
  const payloads =
    step.input !== undefined || step.output !== undefined ? (
      <div
        className={`grid gap-3 [&_pre]:max-h-85 [&_pre]:overflow-auto ${step.input !== undefined && step.output !== undefined ? 'md:grid-cols-2' : ''}`}
      >
        {step.input === undefined ? null : (
          <JsonViewer name={service === 'code' ? 'Input' : `Sent to ${service}`} value={masked(step.input, isMasked)} />
        )}
        {step.output === undefined ? null : (
          <JsonViewer
            name={service === 'code' ? 'Output' : isFailed ? `${service} answered` : 'Response'}
            value={masked(step.output, isMasked)}
          />
        )}
      </div>
    ) : null;
  const body = isFailed ? (
    <div className="grid gap-3">
      <FailureNote {...context} />
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
        : sentenceOf(step.status, service, isFailed ? null : (step.error ?? maskedText(step.sentence, isMasked))),
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
    sentence: `Result recorded${run.late ? ', after the deadline' : ''}. ${charge}`,
  };
}

function sentenceOf(status: RunDetail['steps'][number]['status'], service: string, note: string | null): ReactNode {
  if (note) return note;
  switch (status) {
    case 'failed':
      return null;
    case 'skipped':
      return 'Not needed in this run.';
    case 'pending':
      return 'Not reached yet.';
    case 'running':
      return service === 'code' ? 'Working.' : `Waiting for ${service}.`;
    case 'succeeded':
      return service === 'code' ? 'Done.' : `${service} accepted it.`;
  }
}

/** Why the run failed, how to fix it, and the button that leads there. */
export function FailureNote({ run, isMasked, onEdit, onRerun, editRefusal, rerunRefusal }: Pick<Context, 'run' | 'isMasked' | Acts>) {
  const repair = repairOf(run);
  const { fix, act, service, page, field, answer } = repair;
  const refused = plain(masked(repair.refused ?? null, isMasked));
  const name = service === null ? '' : PROVIDERS[service].name;
  return (
    <Note tone="bad">
      <p className="font-semibold">{run.error?.message ?? 'This step failed.'}</p>
      {field && refused ? (
        <p className="mt-1">
          {field.label}: <code>{refused}</code>
        </p>
      ) : null}
      {service && answer.status ? (
        <p className="mt-1">
          {name} answered {answer.status}
          {answer.code === undefined ? null : (
            <>
              {' '}
              with its code <code>{answer.code}</code>
            </>
          )}
          .
        </p>
      ) : null}
      <p className="mt-1">
        <b>To fix it:</b> {fix}
        {page && service ? (
          <>
            {' '}
            <a className="link" href={page} target="_blank" rel="noreferrer">
              What {name} says about it
            </a>
          </>
        ) : null}
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <RepairLink run={run} repair={repair} />
        {act === 'input' ? (
          <Button size="sm" disabledReason={editRefusal} onClick={onEdit}>
            Edit input and rerun
          </Button>
        ) : (
          <Button size="sm" disabledReason={rerunRefusal} onClick={onRerun}>
            Rerun
          </Button>
        )}
      </div>
    </Note>
  );
}

function maskedText(text: string | null, isMasked: boolean): string | null {
  const shown = text === null ? null : masked(text, isMasked);
  return typeof shown === 'string' ? shown : null;
}

/** Masks phone numbers and e-mail addresses unless revealed. */
export function masked(value: Json, isMasked: boolean): Json {
  return isMasked ? maskJson(value) : value;
}
