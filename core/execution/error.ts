import { maskText } from '../contact/mask.ts';
import { shortened } from '../text/cut.ts';
import { failureOf } from './failures.ts';

export type ExecutionError = { code: string; message: string; stepName: string | null };

/** Longest error text that is stored. */
const MESSAGE_MAX = 300;

/**
 * Sanitizes an error for display. A known code has its sentence (failures.ts); any other message becomes one line without stack, path, host
 * address, key or engine id. Reported errors are third-party text and never trusted.
 */
export function cleanError(error: { code?: string | undefined; message: string; stepName?: string | null | undefined }): ExecutionError {
  const code = (error.code ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 80);
  const message = failureOf(code).sentence ?? cleanMessage(error.message);
  return { code: code || 'step_failed', message, stepName: error.stepName?.slice(0, 80) ?? null };
}

function cleanMessage(message: string): string {
  const firstLine = message.split(/\r?\n|\\n/).find((line) => line.trim() !== '' && !/^\s*at /.test(line)) ?? '';
  const clean = firstLine
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 ···')
    .replace(/\bhttps?:\/\/[^\s"')]+/gi, 'the service')
    .replace(/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '···')
    .replace(/(?:file:\/\/)?(?:\/[\w.@-]+){2,}(?::\d+)*/g, '···')
    // The look-behind keeps this linear: without it, a long run of hyphens takes seconds.
    .replace(/(?<![\w-])[\w-]{20,}/g, (found) => (/\d/.test(found) && /[A-Za-z]/.test(found) ? '···' : found))
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '') return 'Something went wrong in this step.';
  return shortened(clean, MESSAGE_MAX);
}

type WithError = { summary: string; error: ExecutionError | null };

/**
 * Removes the cause of a failure for client users: they learn the kind of failure, which `failureOf` has for the code, not what a third-party
 * service responded. Fixing the cause is up to the partner.
 */
export function redactCause<R extends WithError>({ error, ...run }: R): Omit<R, 'error'> & { error: { code: string } | null } {
  if (error === null) return { ...run, error };
  return { ...run, summary: withoutCause(run.summary, error.message), error: { code: error.code } };
}

/** The sentence ends with the cause, masked as its other values are, or with the beginning of it where the whole would be too long. */
function withoutCause(summary: string, message: string): string {
  const causes = [maskText(message), message].map((cause) => `: ${cause}`);
  const at = [...summary.matchAll(/: /g)].find(({ index }) => {
    const end = summary.slice(index).replace(/…$/, '');
    return causes.some((cause) => cause.startsWith(end));
  });
  return at === undefined ? summary : summary.slice(0, at.index);
}
