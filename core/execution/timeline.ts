import { isObject } from '../json/is-object.ts';
import type { ExecutionStatus, StepStatus } from '@partner-portal/contract/vocabulary.ts';

/** One step, as reported by the flow or found in the engine's run. */
export type ReportedStep = {
  name: string;
  status: string;
  output?: unknown;
  error?: string | null | undefined;
  startedAt?: string | null | undefined;
  durationMs?: number | null | undefined;
  input?: unknown;
};

export type TimelineStep = {
  name: string;
  label: string;
  status: StepStatus;
  startedAt: string | null;
  durationMs: number | null;
  input?: unknown;
  output?: unknown;
  error: string | null;
};

const STATUS_OF: { [reported: string]: StepStatus } = {
  succeeded: 'succeeded',
  failed: 'failed',
  skipped: 'skipped',
  running: 'running',
  pending: 'pending',
  stopped: 'skipped',
};

/**
 * Returns the timeline of an execution: the steps of its definition in order, with what is known of each. Reported steps that are
 * not in the definition (of an older version) follow at the end.
 */
export function timeline(
  definition: readonly { name: string; label: string }[],
  reported: readonly ReportedStep[],
  status: ExecutionStatus,
): TimelineStep[] {
  const known = new Set(definition.map((step) => step.name));
  const extra = reported.filter((step) => !known.has(step.name)).map((step) => ({ name: step.name, label: toLabel(step.name) }));
  return [...definition, ...extra].map(({ name, label }) => {
    const step = reported.find((one) => one.name === name);
    if (!step) return { name, label, status: status === 'RUNNING' ? 'pending' : 'skipped', startedAt: null, durationMs: null, error: null };
    return {
      name,
      label,
      status: STATUS_OF[step.status.toLowerCase()] ?? 'skipped',
      startedAt: step.startedAt ?? null,
      durationMs: step.durationMs ?? null,
      error: step.error ?? null,
      ...(step.input === undefined ? {} : { input: step.input }),
      ...(step.output === undefined ? {} : { output: step.output }),
    };
  });
}

function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Reduces the input of an HTTP step to method, path and body, with a form body decoded. Engine settings, headers and host mean
 * nothing to partners. The input of any other step is returned unchanged.
 */
export function readableStepInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('method' in input) || !('url' in input) || !('body_type' in input)) return input;
  const { method, url } = input;
  const body = 'body' in input && typeof input.body === 'object' && input.body !== null && 'data' in input.body ? input.body.data : null;
  const isForm = typeof body === 'string' && /^[^{[\s]+=/.test(body);
  return {
    method,
    path: typeof url === 'string' ? pathOf(url) : '',
    ...(body === null || body === '' ? {} : { body: isForm ? Object.fromEntries(new URLSearchParams(body)) : body }),
  };
}

/** Returns the path of a URL whose host and account may have been redacted by the engine. */
function pathOf(url: string): string {
  const path = url.replace(/^(https?:\/\/[^/]*|\*\*REDACTED\*\*)/, '').replaceAll('**REDACTED**', '···');
  return path.split('?')[0] || '/';
}

/**
 * Returns what a provider answered to an HTTP step that failed: its status and its own code for the cause. Its texts are left out, as they may
 * quote keys and account numbers. Undefined when no answer came.
 */
export function providerAnswer(output: unknown): { status: number; code?: string | number } | undefined {
  const answer = isObject(output) && isObject(output['response']) ? output['response'] : output;
  if (!isObject(answer)) return undefined;
  const { status, body } = answer;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const code = isObject(body) ? codeOf(body) : undefined;
  return code === undefined ? { status } : { status, code };
}

/** The member in which each provider names a cause: `code` (Twilio, databases), `name` (Resend), `error.code` or `error.type` (models, Cal.com). */
function codeOf(body: { readonly [key: string]: unknown }): string | number | undefined {
  const error = isObject(body['error']) ? body['error'] : {};
  return [body['code'], error['code'], error['type'], body['name']].find(isCode);
}

function isCode(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^\w{1,60}$/.test(value));
}
