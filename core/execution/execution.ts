import type { ExecutionStatus, StepStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * What follows from the parts of a run's life (specification, Execution; product.md §4.2):
 *
 *   (accepted) → RUNNING → SUCCEEDED | FAILED by its report
 *                RUNNING → FAILED `timeout` by the timeout job, `dispatch_failed` when the engine will not take it
 *                FAILED `timeout` → what a late report says, once, marked `late`
 *
 * Anything else leaves the run as it is. Which of these an end makes is decided where many runs end at once, by `finish_executions` in
 * the database; report.test.ts and dispatcher.test.ts of the module walk it. Pure and safe in a browser.
 */

/** A report is another program's word: what no run can spend is not believed. */
const AI_CREDITS_MAX = 100_000;

/** Credits of the tokens a run spent on a platform key: one per started thousand. A key of one's own costs none. */
export function aiCredits(usage: { inputTokens: number; outputTokens: number } | null | undefined, onPlatformKey: boolean): number {
  if (!usage || !onPlatformKey) return 0;
  return Math.min(Math.ceil((usage.inputTokens + usage.outputTokens) / 1000), AI_CREDITS_MAX);
}

/** What the engine's webhook did with an event. `ambiguous`: it was sent and nothing came back, so it may be running. */
export type DispatchAnswer = 'accepted' | 'refused' | 'not_found' | 'unreachable' | 'ambiguous';
export type DispatchStep = { next: 'done' } | { next: 'again'; waitMs: number; missed: boolean } | { next: 'fail'; message: string };

const MISSES_MAX = 6;
const MISS_WAIT_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/**
 * What follows an answer. An engine that is away delays a run and never loses it: the run's own deadline decides.
 * A flow that is not found is believed after a few seconds only, because republishing hides it for a moment.
 * An ambiguous outcome is never repeated: a second text message is worse than a late one.
 */
export function afterDispatch(answer: DispatchAnswer, past: { attempts: number; misses: number }): DispatchStep {
  switch (answer) {
    case 'accepted':
    case 'ambiguous':
      return { next: 'done' };
    case 'unreachable':
      return { next: 'again', waitMs: Math.min(500 * 2 ** Math.min(Math.max(0, past.attempts - 1), 10), BACKOFF_MS_MAX), missed: false };
    case 'not_found':
      if (past.misses < MISSES_MAX) return { next: 'again', waitMs: MISS_WAIT_MS, missed: true };
      return { next: 'fail', message: 'The automation platform does not know this agent. Ask your platform team to set it up again.' };
    case 'refused':
      return { next: 'fail', message: 'The automation platform did not accept this event.' };
  }
}

export type RunError = { code: string; message: string; stepName: string | null };

/** Longest error text that is kept. */
const MESSAGE_MAX = 300;

/**
 * An error as people may read it: one line, no stack, path, address of a machine, key or engine id. What a flow reports
 * is other people's text and is never trusted to be clean.
 */
export function cleanError(error: { code?: string | undefined; message: string; stepName?: string | null | undefined }): RunError {
  const code = (error.code ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 80);
  return { code: code || 'step_failed', message: cleanMessage(error.message), stepName: error.stepName?.slice(0, 80) ?? null };
}

function cleanMessage(message: string): string {
  const firstLine = message.split(/\r?\n|\\n/).find((line) => line.trim() !== '' && !/^\s*at /.test(line)) ?? '';
  const clean = firstLine
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 ···')
    .replace(/\bhttps?:\/\/[^\s"')]+/gi, 'the service')
    .replace(/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '···')
    .replace(/(?:file:\/\/)?(?:\/[\w.@-]+){2,}(?::\d+)*/g, '···')
    // One look at each run of letters: an expression that starts anew at each hyphen takes seconds for a page of them.
    .replace(/(?<![\w-])[\w-]{20,}/g, (found) => (/\d/.test(found) && /[A-Za-z]/.test(found) ? '···' : found))
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '') return 'Something went wrong in this step.';
  return clean.length > MESSAGE_MAX ? `${clean.slice(0, MESSAGE_MAX - 1)}…` : clean;
}

/** One step as the report or the engine's own run tells it. */
export type ToldStep = {
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
  told: readonly ToldStep[],
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

/** What an agency's client reads in place of a cause. */
export const CAUSE_UNTOLD = 'This did not work. The agency that runs your agents sees why.';

type Told = { summary: string; error: { code: string; message: string; stepName: string | null } | null };

/**
 * A run as the agency's client reads it: that something did not work, not which service said what. The cause is the agency's to mend
 * (design brief, Voice).
 */
export function withoutCause<R extends Told>(run: R): R {
  const { error } = run;
  if (error === null) return run;
  const cause = `: ${error.message}`;
  const summary = error.message !== '' && run.summary.endsWith(cause) ? run.summary.slice(0, -cause.length) : run.summary;
  return {
    ...run,
    summary,
    error: { code: error.code, message: CAUSE_UNTOLD, stepName: null },
  };
}

const SECRET_KEY = /pass(word|wd)?|secret|token|api[-_]?key|authorization|cookie|credential|private[-_]?key/i;
const TEXT_MAX = 2_000;
const DEPTH_MAX = 12;

/** A payload for people of the agency: whole, except that members named like secrets are hidden and long texts are cut. */
export function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (depth > DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.slice(0, 500).map((item) => hideSecrets(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) && item !== null && item !== '' ? '[hidden]' : hideSecrets(item, depth + 1),
    ]),
  );
}
