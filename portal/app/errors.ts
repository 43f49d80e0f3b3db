import { ApiError } from '@partner-portal/contract/client.ts';
import { isFileMissing } from './reload-once.ts';
import { problemText, type UiKey, uiText } from '../ui/text/reader.ts';
import type { FieldError } from '@partner-portal/contract/errors.ts';

/** Input that the contract's schema refuses; it was not sent. */
export class InvalidInput extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super(uiText('ui.someFields'));
    this.name = 'InvalidInput';
    this.errors = errors;
  }
}

/** No answer of the service arrived, or not whole. */
export class Unreachable extends Error {}

/** Awaits a response of `fetch` or its body. Both fail with a TypeError without a connection, as faults of a page do: only here one means the connection. */
export function fromService<T>(arriving: Promise<T>): Promise<T> {
  return arriving.catch((error: unknown) => {
    throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
  });
}

/** An error as shown to users: what happened, what to do, and the details that support needs. */
export type Explained = { title: string; detail: string; code: string; status: number; requestId: string | undefined; canRetry: boolean };

/** What still works, or what to do, where the code alone says it. */
const HINTS: Readonly<Record<string, UiKey>> = {
  engine_unavailable: 'ui.hint-engine_unavailable',
  service_unavailable: 'ui.hint-service_unavailable',
  internal_error: 'ui.hint-internal_error',
  rate_limited: 'ui.hint-rate_limited',
  partner_throttled: 'ui.hint-rate_limited',
  stale_record: 'ui.hint-stale_record',
};

/** Codes whose detail, if the service gives one, says what to do: the engine may refuse the login, or be switched off. */
const SAYS_WHY: readonly string[] = ['engine_unavailable'];

export function explain(error: unknown): Explained {
  if (error instanceof ApiError && error.problem) {
    const { title, detail, code, status, requestId } = error.problem;
    const isServerSide = status >= 500 || status === 429;
    const hint = HINTS[code];
    const translated = problemText(code);
    // Details of the service are in English.
    const more = translated !== undefined || endSentence(detail) === endSentence(title) ? '' : detail;
    return {
      title: endSentence(translated ?? title),
      detail: hint === undefined || (more !== '' && SAYS_WHY.includes(code)) ? more : uiText(hint),
      code,
      status,
      requestId,
      canRetry: isServerSide || status === 412,
    };
  }
  if (error instanceof ApiError) return withoutProblem('no_answer', 'noAnswer', error.status);
  if (error instanceof InvalidInput) {
    return {
      title: error.message,
      detail: error.errors.map(({ field, message }) => `${field}: ${message}`).join(' '),
      code: 'validation_failed',
      status: 0,
      requestId: undefined,
      canRetry: false,
    };
  }
  if (error instanceof Unreachable || isFileMissing(error)) return withoutProblem('unreachable', 'unreachable');
  return withoutProblem('page_error', 'pageError');
}

/** An error that the service says nothing about. */
function withoutProblem(code: string, key: 'noAnswer' | 'unreachable' | 'pageError', status = 0): Explained {
  return { title: uiText(`ui.${key}`), detail: uiText(`ui.${key}Hint`), code, status, requestId: undefined, canRetry: true };
}

/** Returns the field errors of refused input by field name: those of a 422 response, or those found before sending. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = error instanceof InvalidInput ? error.errors : error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  return Object.fromEntries(
    errors.map(({ field, code, message }) => [field, problemText(`field-${code}`) ?? problemText('field') ?? message]),
  );
}

/** Statuses of a record that was removed or is no longer accessible. */
const GONE = [403, 404, 410];

/** Whether there is nothing to show. A failed refetch leaves the page as it is, unless the record is gone. */
export function isLost({ data, error }: { data: unknown; error: unknown }): boolean {
  if (!error) return false;
  return data === undefined || (error instanceof ApiError && GONE.includes(error.status));
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem?.code : undefined;
}

/** Returns a non-standard member of the problem body, such as `attemptsRemaining`. */
export function extension(error: unknown, name: string): unknown {
  return error instanceof ApiError ? error.problem?.[name] : undefined;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
