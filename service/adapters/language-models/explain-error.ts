import type { OutboundError } from '#platform/outbound/outbound-error.ts';
import { ModelError, type ModelProblem, type ModelProgress } from './model-call.ts';

const RETRY_AFTER_MAX = 3_600;

/** Common members of both libraries' errors. */
type LibraryError = { status?: unknown; code?: unknown; type?: unknown; message?: unknown; error?: unknown; headers?: unknown };

/** Returns why a call failed, from what the library threw and what our fetch saw below it. */
export function explainError(
  error: unknown,
  failure: OutboundError | undefined,
  progress: ModelProgress,
  signal: AbortSignal | undefined,
): ModelError {
  if (signal?.aborted) return new ModelError('stopped');
  if (failure?.reason === 'timeout') return new ModelError('timeout');
  if (failure) return new ModelError(progress.isAccepted ? 'cut_off' : 'unreachable');
  if (error instanceof ModelError) return error;
  const known = typeof error === 'object' && error !== null ? (error as LibraryError) : {}; // each member is checked below
  const status = typeof known.status === 'number' ? known.status : null;
  // An error event inside a stream has no status; its type says the same.
  if (status === null) return new ModelError(/overloaded/.test(wordsOf(known)) ? 'overloaded' : 'cut_off');
  return new ModelError(problemOf(status, wordsOf(known), codesOf(known)), retryAfter(known.headers, Date.now()));
}

function problemOf(status: number, words: string, codes: string): ModelProblem {
  // Its message is not asked: the one of OpenAI's rate limit recommends the page of payments.
  if (status === 429) return /insufficient_quota|billing/.test(codes) ? 'no_credit' : 'rate_limited';
  if (/insufficient_quota|billing|credit balance/i.test(words) && status !== 401) return 'no_credit';
  // OpenAI's answer for a model that the project of the key may not use has status 403.
  if (/\bmodel_not_found\b/.test(codes)) return 'unknown_model';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 404) return 'unknown_model';
  if (status === 413 || /context_length|too long|maximum context/i.test(words)) return 'too_long';
  if (status === 400 || status === 422)
    return /model/i.test(words) && /not exist|not found|invalid model/i.test(words) ? 'unknown_model' : 'request_refused';
  if (status >= 500 || status === 408 || status === 409) return 'overloaded';
  return 'unreachable';
}

/** The codes by which a provider names the cause: of the error, of its body, and of the error in that. */
function codesOf(known: LibraryError): string {
  const codes: unknown[] = [];
  let part: unknown = known;
  for (let depth = 0; depth < 3 && typeof part === 'object' && part !== null; depth += 1) {
    const { code, type, error }: LibraryError = part;
    codes.push(code, type);
    part = error;
  }
  return codes.filter((code) => typeof code === 'string').join(' ');
}

function wordsOf({ code, type, message, error }: LibraryError): string {
  const texts = [code, type, message].filter((part) => typeof part === 'string');
  try {
    return `${texts.join(' ')} ${typeof error === 'object' ? (JSON.stringify(error) ?? '') : ''}`;
  } catch {
    // Nested too deeply to be written.
    return texts.join(' ');
  }
}

/** Returns the seconds of a Retry-After header, of either form; undefined without a usable one. */
export function retryAfter(headers: unknown, nowMs: number): number | undefined {
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  if (value === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), RETRY_AFTER_MAX) : undefined;
}
