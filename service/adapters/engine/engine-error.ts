/**
 * What went wrong with a call to the engine, in a closed set of kinds:
 *
 * - `unreachable`: no connection was made, so the engine did nothing.
 * - `timeout`: it did not respond in time; what it did is unknown.
 * - `unhealthy`: it responds that it cannot work (its database is unavailable).
 * - `unauthorized`: it does not accept the admin account.
 * - `busy` (429; see `retryAfterSeconds`), `not_found`, `plan_limit` (402), `refused` (any other 4xx), `failed` (5xx).
 * - `protocol`: a response that is not the engine's (a web page, another shape), or an edit that was not stored.
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
  /** HTTP status, when there was a response. */
  readonly status: number | null;
  /** The engine's own error code, for example `FEATURE_DISABLED`. */
  readonly code: string | null;
  /** From a 429: seconds until a retry may succeed. */
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
