import type { ExecutionStatus, StepStatus } from '@partner-portal/contract/vocabulary.ts';

/** One step as the report or the engine's own run tells it. */
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

const STEP_WORDS: { [word: string]: StepStatus } = {
  succeeded: 'succeeded',
  failed: 'failed',
  skipped: 'skipped',
  running: 'running',
  pending: 'pending',
  stopped: 'skipped',
};

/**
 * The timeline of a run: the steps of its definition in their order, with what is known of each. Steps that were told
 * but are not in the definition (an older version's) follow at the end.
 */
export function timeline(
  definition: readonly { name: string; label: string }[],
  told: readonly ReportedStep[],
  status: ExecutionStatus,
): TimelineStep[] {
  const known = new Set(definition.map((step) => step.name));
  const extra = told.filter((step) => !known.has(step.name)).map((step) => ({ name: step.name, label: readable(step.name) }));
  return [...definition, ...extra].map(({ name, label }) => {
    const step = told.find((one) => one.name === name);
    if (!step) return { name, label, status: status === 'RUNNING' ? 'pending' : 'skipped', startedAt: null, durationMs: null, error: null };
    return {
      name,
      label,
      status: STEP_WORDS[step.status.toLowerCase()] ?? 'skipped',
      startedAt: step.startedAt ?? null,
      durationMs: step.durationMs ?? null,
      error: step.error ?? null,
      ...(step.input === undefined ? {} : { input: step.input }),
      ...(step.output === undefined ? {} : { output: step.output }),
    };
  });
}

function readable(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * What an HTTP step sent, as people read it: method, path and body, a form taken apart. The engine's own settings of the step, its
 * headers and its host say nothing to an agency. Any other step's input stays as it is.
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

/** The path of an address whose host and account may have been struck out by the engine. */
function pathOf(url: string): string {
  const path = url.replace(/^(https?:\/\/[^/]*|\*\*REDACTED\*\*)/, '').replaceAll('**REDACTED**', '···');
  return path.split('?')[0] || '/';
}
