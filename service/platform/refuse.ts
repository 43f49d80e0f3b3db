import { type ErrorCode, ERRORS, type FieldError } from '@partner-portal/contract/errors.ts';

/** Details of a refusal. Every further member becomes a member of the problem body. */
export type RefusalExtras = {
  /** A sentence for the caller: what happened and what to do. Never SQL, hosts, secrets. */
  detail?: string;
  errors?: readonly FieldError[];
  retryAfterSeconds?: number;
  /** Sent as response headers, not as members of the body. */
  headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  cause?: unknown;
  [member: string]: unknown;
};

/** Seconds after which a caller may ask again what a busy process had no turn for. */
export const BUSY_RETRY_SECONDS = 5;

/** A refusal the caller may see. Thrown by use-cases through `refuse`, turned into problem+json in one place. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extras: RefusalExtras;
  constructor(code: ErrorCode, extras: RefusalExtras = {}) {
    super(extras.detail ?? ERRORS[code].title, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.extras = extras;
  }
}

/** Ends the use-case with a code of the registry, for example `refuse('not_found')`. */
export function refuse(code: ErrorCode, extras?: RefusalExtras): never {
  throw new AppError(code, extras);
}

/** A 422 about one field. */
export function refuseField(field: string, code: string, message: string): never {
  throw new AppError('validation_failed', { detail: message, errors: [{ field, code, message }] });
}

/** Whether a thrown value is a refusal with this code. */
export function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}
