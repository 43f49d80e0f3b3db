/**
 * Failures of a call to the engine, in a closed set of kinds:
 *
 * - `unreachable`: no connection was made, so the engine did nothing.
 * - `timeout`: it did not respond in time; what it did is unknown.
 * - `unhealthy`: it responds that it cannot work (its database is unavailable).
 * - `wrong_password`: it does not accept the admin's e-mail and password at sign-in.
 * - `unauthorized`: it refuses the session, also a new one (401, or 403 to an account that is not the platform's admin).
 * - `no_worker`: a call that only a worker can answer got no answer.
 * - `no_piece`: it lacks a piece that every flow needs; the message names it.
 * - `busy` (429; see `retryAfterSeconds`), `not_found`, `plan_limit` (402), `refused` (any other 4xx), `failed` (5xx).
 * - `protocol`: a response that is not the engine's (a web page, another shape), or an edit that was not stored.
 * - `untested_version`: an engine older or newer than the ones this client was tested with.
 * - `not_configured`: no engine address or admin account is set.
 */
export type EngineErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unhealthy'
  | 'wrong_password'
  | 'unauthorized'
  | 'no_worker'
  | 'no_piece'
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
  /** Seconds until a retry may succeed, from a 429. */
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

/** Returns the remedy for staff, as sentences that follow the message; empty when the message is enough. */
const ADVICE: { readonly [kind in EngineErrorKind]: string } = {
  unreachable: 'Start the engine, or correct AUTOMATION_ENGINE_BASE_URL.',
  timeout: 'Check whether the engine is overloaded or its network is down.',
  unhealthy: 'Look at the engine’s database and queue.',
  wrong_password: 'Set AUTOMATION_ENGINE_ADMIN_EMAIL and AUTOMATION_ENGINE_ADMIN_PASSWORD to an account of the engine, then restart.',
  unauthorized: 'The account must be an admin of the engine’s platform.',
  no_worker:
    'Start at least one worker of the engine: without one nothing runs, although the engine reports itself healthy. If one runs and was restarted, its first job can wait for some minutes.',
  no_piece: 'The engine fetches its pieces at its first start, which needs the internet; wait for it, or install the piece.',
  busy: '',
  not_found: '',
  plan_limit: '',
  refused: '',
  failed: 'Look at the engine’s own log.',
  protocol: '',
  untested_version: '',
  not_configured: '',
};

/** The message of an engine error and what to do about it. For staff and the log. */
export function explainEngineError({ kind, message }: EngineError): string {
  return [message, ADVICE[kind]].filter((part) => part !== '').join(' ');
}

export function isEngineError(error: unknown, kind?: EngineErrorKind): error is EngineError {
  return error instanceof EngineError && (kind === undefined || error.kind === kind);
}

/** Returns a list of what a project holds; nothing for a deleted project. */
export async function noneIfNotFound<Item>(list: Promise<Item[]>): Promise<Item[]> {
  try {
    return await list;
  } catch (error) {
    if (isEngineError(error, 'not_found')) return [];
    throw error;
  }
}
