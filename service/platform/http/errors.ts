import { type ErrorCode, ERRORS, type Problem } from '@partner-portal/contract/errors.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, isTooLong } from '../db/unavailable.ts';
import { AppError } from '../refuse.ts';

const MIME = 'application/problem+json; charset=utf-8';

/** WWW-Authenticate, where a bearer session is missing (RFC 9110, 11.6.1). Tokens in URLs and passwords have no scheme. */
const CHALLENGES: { readonly [code in ErrorCode]?: string } = {
  unauthenticated: 'Bearer',
  token_expired: 'Bearer error="invalid_token"',
  session_idle: 'Bearer error="invalid_token"',
};

/**
 * Sends any thrown value as a problem. Unexpected errors become `internal_error` without their cause, which is logged under the same
 * request id. Format: docs/behaviour/api-conventions.md.
 */
export function sendProblem(baseUrl: string, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  const problem = describeProblem(baseUrl, error, request);
  const { retryAfterSeconds, headers } = refusal.extras;
  const scheme = CHALLENGES[refusal.code];
  if (scheme !== undefined) void reply.header('www-authenticate', scheme);
  // A refusal by another limit than that of the route, whose headers would say that calls are left.
  if (refusal.status === 429 && retryAfterSeconds !== undefined)
    void reply.headers({ 'ratelimit-remaining': '0', 'ratelimit-reset': String(retryAfterSeconds) });
  if (headers !== undefined) void reply.headers({ ...headers });
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(refusal.status).type(MIME).send(JSON.stringify(problem));
}

/** Returns the problem of any thrown value, and logs one that is unexpected. */
export function describeProblem(baseUrl: string, error: unknown, request: FastifyRequest): Problem {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
  return toProblem(refusal, { baseUrl: request.ownHost?.baseUrl ?? baseUrl, instance: pathOf(request.url), requestId: request.id });
}

/** Returns the body of an error response. */
export function toProblem(refusal: AppError, request: { baseUrl: string; instance: string; requestId: string }): Problem {
  const { detail, errors, cause: _cause, headers: _headers, ...members } = refusal.extras;
  return {
    ...members,
    type: `${request.baseUrl}/problems/${refusal.code}`,
    title: ERRORS[refusal.code].title,
    status: refusal.status,
    detail: detail ?? `${ERRORS[refusal.code].title}.`,
    instance: request.instance,
    code: refusal.code,
    requestId: request.requestId,
    // Only a 422 names fields; a use-case that is called by a query and by a body refuses with one text for both.
    ...(errors && refusal.status === 422 ? { errors: [...errors] } : {}),
  };
}

/** Returns the path without its query, which may hold a token. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Returns refusals as they are, the framework's errors with the API's codes, and other errors as `internal_error`. */
export function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as Partial<FastifyError>; // read only after the checks below
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) {
    return new AppError('unsupported_media_type', { detail: 'Send the body as application/json.' });
  }
  // 403: what the file server says of a path that leads out of its folder, or that names no file by its form.
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH' || [403, 404, 414].includes(statusCode ?? 0))
    return new AppError('not_found');
  // Errors of a static file of the portal.
  if (statusCode === 412) return new AppError('stale_record');
  if (statusCode === 416) return new AppError('range_not_satisfiable');
  if (statusCode === 400) return new AppError('malformed_json', { detail: 'The body could not be read as JSON.' });
  if (isDatabaseUnavailable(error)) {
    return new AppError('service_unavailable', { detail: 'Please try again in a moment.', retryAfterSeconds: 2, cause: error });
  }
  if (isTooLong(error)) {
    const detail = 'Nothing was changed. Request less data at once, for example a shorter range.';
    return new AppError('took_too_long', { detail, cause: error });
  }
  return new AppError('internal_error', { detail: 'Something went wrong on our side. The error has been logged.', cause: error });
}
