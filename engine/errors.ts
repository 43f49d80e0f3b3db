const STATUS_BY_CODE: Record<string, number> = {
  INVALID_BEARER_TOKEN: 401,
  AUTHENTICATION: 401,
  INVALID_CREDENTIALS: 401,
  FEATURE_DISABLED: 402,
  AUTHORIZATION: 403,
  SESSION_EXPIRED: 403,
  ENTITY_NOT_FOUND: 404,
  VALIDATION: 409,
};

/** A refusal in the engine's own shape `{code, params}`; the status follows from the code (400 for any other). */
export class EngineError extends Error {
  readonly code: string;
  readonly params: unknown;
  readonly status: number;

  constructor(code: string, params: unknown) {
    super(code);
    this.code = code;
    this.params = params;
    this.status = STATUS_BY_CODE[code] ?? 400;
  }
}

/** A refusal in the framework's shape `{statusCode, error, message, code?}`. */
export class FrameworkError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** 404 for a thing the caller named by id. */
export function notFound(entityType: string, entityId: string): EngineError {
  return new EngineError('ENTITY_NOT_FOUND', { entityId, entityType });
}

/** 400 in the shape of a failed request schema. */
export function invalidRequest(message: string): FrameworkError {
  return new FrameworkError(400, message, 'FST_ERR_VALIDATION');
}
