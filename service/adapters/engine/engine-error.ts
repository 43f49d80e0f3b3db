/**
 * What went wrong with a call to the engine, in a closed set of kinds:
 *
 * - `unreachable`: no connection was made, so the engine did nothing.
 * - `timeout`: it was asked and did not answer in time; what it did is unknown.
 * - `unhealthy`: it answers, and says that it cannot work (its database is away).
 * - `unauthorized`: it does not accept our admin account.
 * - `busy` (429; `retryAfterSeconds` tells until when), `not_found`, `plan_limit` (402), `refused` (any other 4xx), `failed` (5xx).
 * - `protocol`: an answer that is none of the engine's (a web page, another shape), or an edit that did not take.
 * - `untested_version`: an engine older or newer than the ones this client was tested with.
 * - `not_configured`: no engine address or admin account is set.
 */
export type EngineErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unhealthy'
  | 'unauthorized'
  | 'busy'
  | 'not_found'
  | 'plan_limit'
  | 'refused'
  | 'failed'
  | 'protocol'
  | 'untested_version'
  | 'not_configured';

/** Its message is for staff and the log: it may name the call and the engine's own code, never a token or a connection's value. */
export class EngineError extends Error {
  readonly kind: EngineErrorKind;
  /** HTTP status, when there was an answer. */
  readonly status: number | null;
  /** The engine's own error code, for example `FEATURE_DISABLED`. */
  readonly code: string | null;
  /** From a 429: not before this many seconds. */
  readonly retryAfterSeconds: number | null;
  constructor(
    kind: EngineErrorKind,
    message: string,
    details: { status?: number; code?: string | null; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'EngineError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

export function isEngineError(error: unknown, kind?: EngineErrorKind): error is EngineError {
  return error instanceof EngineError && (kind === undefined || error.kind === kind);
}
