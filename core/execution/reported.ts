import { isObject } from '../json/is-object.ts';
import { isNoTextReason } from '../contact/texting.ts';
import { isPersonReason, type PersonReason, readRefusal } from '../provider/refusals.ts';
import type { JsonObject, Template } from '../template/types.ts';
import { cleanError, type ExecutionError } from './error.ts';

/** Decides what the report of a flow says about its run. Rules: docs/behaviour/executions.md. */

export type ReportedRun = {
  status: 'SUCCEEDED' | 'FAILED';
  output?: unknown;
  error?: { code?: string | undefined; message: string; stepName?: string | null | undefined } | null | undefined;
  steps?: readonly ReportedRunStep[] | null | undefined;
};
type ReportedRunStep = { name: string; status: string; output?: unknown; error?: string | null | undefined };

export type DecidedRun = {
  status: 'SUCCEEDED' | 'FAILED';
  output: unknown;
  error: ExecutionError | null;
  steps: readonly ReportedRunStep[] | null;
  /** The provider could not text the person: the run is stopped, did the rest of its work, or failed by another call. */
  refusedFor: PersonReason | null;
};

/**
 * Returns the run as it counts. A provider that cannot text the person of an event stops the run; where another message of it went out, it has
 * succeeded, and its output says who was not texted (`notTexted`). The same refusal of a number in the settings is a failure, as is any other.
 */
export function readReport(report: ReportedRun, template: Pick<Template, 'messages'> | undefined): DecidedRun {
  const { status, output = null, steps = null } = report;
  if (status === 'SUCCEEDED') return { status, output, error: null, steps: steps && steps.map(cleanStep), refusedFor: null };
  const given = report.error ?? { message: 'The run failed without giving a reason.' };
  const refusal = readRefusal(given);
  const step = given.stepName ?? null;
  const isOfSettings = template?.messages.some((one) => one.step === step && one.to.startsWith('{config.')) ?? false;
  const values = withoutContact(output);
  if (refusal?.is === 'person' && !isOfSettings) {
    const { reason, message } = refusal;
    const shown = steps && steps.map((one) => (one.name === step ? { name: one.name, status: 'stopped', error: message } : cleanStep(one)));
    const isPartly = template?.messages.some((one) => one.step !== step && steps?.some((done) => done.name === one.step && isDone(done)));
    const end: JsonObject = isPartly ? { ...values, notTexted: { reason, message } } : { ...values, skipped: true, reason, message };
    return { status: 'SUCCEEDED', output: end, error: null, steps: shown, refusedFor: reason };
  }
  const code = refusal?.is === 'account' ? refusal.code : refusal?.is === 'person' ? 'twilio_recipient_rejected' : given.code;
  const error = cleanError({ ...given, code });
  const kept = isObject(output) ? (Object.keys(values).length === 0 ? null : values) : output;
  const notTexted = refusal?.is === 'person' ? null : refusedText(steps, template);
  const shown =
    steps &&
    steps.map((one) => {
      if (one.name === notTexted?.step) return { name: one.name, status: 'stopped', error: notTexted.message };
      return refusal !== null && one.name === step ? { ...one, error: error.message } : cleanStep(one);
    });
  return { status, output: kept, error, steps: shown, refusedFor: notTexted?.reason ?? null };
}

/** A flow reports its first error, such as that of a mail; the refusal of a text after it stands on the step of the text alone. */
function refusedText(
  steps: DecidedRun['steps'],
  template: Pick<Template, 'messages'> | undefined,
): { step: string; reason: PersonReason; message: string } | null {
  const texts = textsToPerson(template);
  for (const { name, error } of steps ?? []) {
    if (!error || !texts.includes(name)) continue;
    const refusal = readRefusal({ code: 'twilio_refused', message: error });
    if (refusal?.is === 'person') return { step: name, reason: refusal.reason, message: refusal.message };
  }
  return null;
}

function textsToPerson(template: Pick<Template, 'messages'> | undefined): string[] {
  return (template?.messages ?? []).flatMap(({ step, channel, to }) => (channel === 'text' && to.startsWith('{input.') ? step : []));
}

/** Returns whether a run costs nothing although it succeeded: it ended early, because its person may not, cannot or does not want to be texted. */
export function isFreeStop({ status, output }: Pick<DecidedRun, 'status' | 'output'>): boolean {
  if (status !== 'SUCCEEDED' || !isObject(output) || output['skipped'] !== true) return false;
  const { reason } = output;
  return reason === 'on_stop_list' || isNoTextReason(reason) || isPersonReason(reason);
}

/** Returns whether a run ended early before any provider did a step for it: it says nothing about whether its agent works. */
export function isUntriedStop(
  { status, output, steps }: Pick<DecidedRun, 'status' | 'output' | 'steps'>,
  template: Pick<Template, 'steps'> | undefined,
): boolean {
  if (status !== 'SUCCEEDED' || !isObject(output) || output['skipped'] !== true) return false;
  const calls = (template?.steps ?? []).flatMap(({ kind, name }) => (kind === 'http' ? name : []));
  return !(steps ?? []).some((step) => isDone(step) && calls.includes(step.name));
}

/** Returns whether a text to the person of an event went out, also when the run failed by another call: a rerun sends it to no one again. */
export function hasTexted({ steps }: Pick<DecidedRun, 'steps'>, template: Pick<Template, 'messages'> | undefined): boolean {
  const texts = textsToPerson(template);
  return (steps ?? []).some((step) => isDone(step) && texts.includes(step.name));
}

/** Whom the flow meant to contact is no one it has contacted. */
function withoutContact(output: unknown): JsonObject {
  if (!isObject(output)) return {};
  const { contacted: _, ...rest } = output;
  return rest;
}

function cleanStep(step: ReportedRunStep): ReportedRunStep {
  return step.error ? { ...step, error: cleanError({ message: step.error }).message } : step;
}

function isDone({ status }: ReportedRunStep): boolean {
  return status.toLowerCase() === 'succeeded';
}
