import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Log } from '../log.ts';
import { AppError } from '../refuse.ts';

/** A call of an audited route that a rule refused, for the audit log. */
export type RefusedCall = {
  action: NonNullable<RouteShape['audit']>;
  actor: Actor;
  code: ErrorCode;
  /** The declared path, `/clients/:id`. */
  path: string;
  /** Parameters of the path, not validated. */
  params: Readonly<Record<string, string>>;
  address: string;
  userAgent: string;
  requestId: string;
};

/** Called for each refused call before the response. Its errors are logged and change no response. */
export type OnRefused = (call: RefusedCall) => Promise<void>;

/** Refusals by a rule to a known caller: not malformed requests, missing sessions or rate limits. */
const RULE_STATUSES: ReadonlySet<number> = new Set([402, 403, 404, 409, 410, 412]);
/** A wrong password or code of who holds a session: the session may be stolen. */
const WRONG_GUESSES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_credentials', 'invalid_mfa_code']);

export function isRuleRefusal(error: unknown): error is AppError {
  // A page asks for the password and repeats the call: nothing was refused to its user.
  if (!(error instanceof AppError) || error.code === 'reauthentication_required') return false;
  return RULE_STATUSES.has(error.status) || WRONG_GUESSES.has(error.code) || (error.status === 422 && error.code !== 'validation_failed');
}

/** Returns a wrapper for the parts of a call that passes refusals to `onRefused`; without an audit action it only runs them. */
export function recordRefusals(route: RouteShape, onRefused: OnRefused) {
  const { audit: action, path } = route;
  return async function recorded<T>(request: FastifyRequest, actor: Actor | null, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (action !== undefined && actor && isRuleRefusal(error)) {
        const { id: requestId, ip: address } = request;
        const userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
        const params = request.params as Record<string, string>; // the router's own
        await onRefused({ action, actor, code: error.code, path, params, address, userAgent, requestId }).catch((failure: unknown) => {
          (request.log as Log).error({ err: failure, requestId }, 'refused call not recorded'); // the server is built with our logger
        });
      }
      throw error;
    }
  };
}
