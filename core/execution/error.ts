export type ExecutionError = { code: string; message: string; stepName: string | null };

/** Longest error text that is kept. */
const MESSAGE_MAX = 300;

/**
 * An error as people may read it: one line, no stack, path, address of a machine, key or engine id. What a flow reports
 * is other people's text and is never trusted to be clean.
 */
export function cleanError(error: { code?: string | undefined; message: string; stepName?: string | null | undefined }): ExecutionError {
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

/** What an agency's client reads in place of a cause. */
export const HIDDEN_CAUSE_MESSAGE = 'This did not work. The agency that runs your agents sees why.';

type Told = { summary: string; error: { code: string; message: string; stepName: string | null } | null };

/**
 * A run as the agency's client reads it: that something did not work, not which service said what. The cause is the agency's to mend
 * (design brief, Voice).
 */
export function redactCause<R extends Told>(run: R): R {
  const { error } = run;
  if (error === null) return run;
  const cause = `: ${error.message}`;
  const summary = error.message !== '' && run.summary.endsWith(cause) ? run.summary.slice(0, -cause.length) : run.summary;
  return {
    ...run,
    summary,
    error: { code: error.code, message: HIDDEN_CAUSE_MESSAGE, stepName: null },
  };
}
