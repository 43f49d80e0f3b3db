import type { z } from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { ErrorCode } from './errors.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { LIMITS, type Role } from './vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Callers that a route allows. There is no default: a route without `access` does not compile and does not boot.
 *
 * - `public`: no login; always explicit. `mayHaveSession: true`: a caller who sends a session is checked as such and may see more; with
 *   `whileSuspended` also one of a suspended account.
 * - `session`: a bearer session with one of `roles`. `write: true` refuses moderators (403 partner_role_forbidden).
 *   `whileSuspended: true` marks the few routes that work for a suspended account.
 *   A view-as session may call GET routes only; `inViewAs` overrides that: `true` for a POST that changes nothing or ends the session,
 *   `false` for a GET that returns a secret.
 * - `ingest`: authorized by the ingest token in the query.
 * - `callback`: authorized by the header X-Callback-Token, the proof for one subject. The member `subject` of the path or the body names it.
 */
export type Access =
  | { kind: 'public'; mayHaveSession?: true; whileSuspended?: boolean }
  | SessionAccess
  | { kind: 'ingest' }
  | { kind: 'callback'; subject: string; subjectIn: 'path' | 'body' };

export type SessionAccess = { kind: 'session'; roles: readonly Role[]; write: boolean; whileSuspended?: boolean; inViewAs?: boolean };

/** Which rate limit applies. `caller`: 100/60 s and the partner's limit; named ones replace it; `none` only for docs, health, callbacks, and what a TLS proxy asks. */
export type Limit = 'caller' | 'file' | 'visitor' | 'register' | 'mfaVerify' | 'ingest' | 'none';

export type Replies = { [status: number]: z.ZodType };

/**
 * Format of the response: one JSON value or none (204), a CSV stream, a file of JSON lines (each per `reply`), JSON lines that are sent one by
 * one, an event stream, a redirect (no body, header Location), XML text, a PDF document, or a stored file, of which a caller may ask for a range of bytes.
 */
export type Format = 'json' | 'csv' | 'ndjson' | 'lines' | 'events' | 'redirect' | 'xml' | 'pdf' | 'file';

/** A route without a session has no default limit: it does not compile and does not boot without one. `limitOf` gives that of the others. */
export type RouteShape = Declared & ({ access: Access; limit: Limit } | { access: SessionAccess; limit?: never });

type Declared = {
  method: Method;
  /** Fastify path, for example `/clients/:id`. */
  path: string;
  tag: Tag;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** `formToo`: the body may also arrive as application/x-www-form-urlencoded, or as multipart/form-data, whose files are refused, or left out for `ingest`. */
  body?: z.ZodType;
  formToo?: boolean;
  /** The body is multipart/form-data: texts by the schema of `body`, and one file in the part `file`. It is read once the session is proven. */
  upload?: true;
  /** Media types of which the body may be the file itself; the members of `body` are in the query then. */
  fileAsBody?: readonly string[];
  /** Most bytes of the body, decompressed; of an upload those of its file. Left out, `bodyLimitOf` gives the default of its access. */
  bodyLimit?: number;
  reply: Replies;
  format?: Format;
  /** The reply is a stream of these events instead, by name, when the boolean member `when` of the body is true; a failure in it is a last event `problem`. */
  streams?: { when: string; events: { readonly [event: string]: z.ZodType } };
  errors: readonly ErrorCode[];
  /** The audit action that a call records, also when refused. Required unless GET or `changesNothing`. */
  audit?: AuditAction;
  /** Why a route other than GET needs no audit entry: "Shows what would be sent." */
  changesNothing?: string;
  /** Refused unless the session proved its user in the last minutes, by its login or by `POST /auth/reauthenticate` (403 reauthentication_required). */
  needsRecentLogin?: true;
  /** A person opens the route in a browser: a refusal leads to this page of the portal, with its code as `problem`. */
  refusedAt?: string;
  /** Not found on the own domain of an agency: routes about the platform itself, and for people who are no clients. */
  mainHostOnly?: true;
  /** Supports the Idempotency-Key header. */
  idempotent?: boolean;
};

/** Tag groups of the API. */
export type Tag =
  | 'auth'
  | 'partners'
  | 'clients'
  | 'users'
  | 'agents'
  | 'agent-requests'
  | 'workflows'
  | 'workflow-executions'
  | 'executions'
  | 'automation-provisioning'
  | 'credentials'
  | 'webhooks'
  | 'billing'
  | 'plans'
  | 'custom-plan-requests'
  | 'sso'
  | 'audit-log'
  | 'alerts'
  | 'notifications'
  | 'provisioning'
  | 'account-deletion'
  | 'account-export'
  | 'account-reactivation'
  | 'invitations'
  | 'metering'
  | 'media'
  | 'chatbot'
  | 'ai-proxy'
  | 'newsletter'
  | 'health';

/**
 * Declares a route with its literal types. The server binds it, the client calls it, and the API document is generated from it. The body of a PATCH refuses
 * unknown members: one that is ignored would look changed.
 */
export function defineRoute<const R extends RouteShape>(route: R): R {
  return route.method === 'PATCH' && route.body ? { ...route, body: refuseUnknown(route.body) } : route;
}

type Infer<S, Else> = S extends z.ZodType ? z.output<S> : Else;
type Input<S, Else> = S extends z.ZodType ? z.input<S> : Else;

export type ParamsOf<R extends RouteShape> = Infer<R['params'], Record<never, never>>;
export type QueryOf<R extends RouteShape> = Infer<R['query'], Record<never, never>>;
export type BodyOf<R extends RouteShape> = Infer<R['body'], undefined>;
export type QueryInputOf<R extends RouteShape> = Input<R['query'], Record<never, never>>;
/** The request body: for an upload a form with the members of `body` and the part `file`. */
export type BodyInputOf<R extends RouteShape> = R extends { upload: true } ? FormData : Input<R['body'], undefined>;
/** The success body a caller receives: the union over the declared statuses; for JSON lines the text. */
export type ReplyOf<R extends RouteShape> = R extends { format: 'ndjson' | 'lines' }
  ? string
  : R['reply'][keyof R['reply']] extends z.ZodType
    ? z.output<R['reply'][keyof R['reply']]>
    : never;
/** The return type of a handler. The reply schema strips unknown members. */
export type ReplyInputOf<R extends RouteShape> = R['reply'][keyof R['reply']] extends z.ZodType
  ? z.input<R['reply'][keyof R['reply']]>
  : never;

/** Returns the rate limit of a route: what it declares, else `caller`. */
export function limitOf({ limit = 'caller' }: Pick<RouteShape, 'limit'>): Limit {
  return limit;
}

/**
 * Returns how many bytes the body of a call may have: what the route declares, else 1 MiB where the caller proves who they are before the
 * body is read, and 16 KiB where they do not or the route has no body. Longer ones are `too_large`.
 */
export function bodyLimitOf({ bodyLimit, body, access }: Pick<RouteShape, 'bodyLimit' | 'body' | 'access'>): number {
  return bodyLimit ?? (body === undefined || access.kind === 'public' ? LIMITS.unprovenBodyBytesMax : LIMITS.bodyBytesMax);
}

/**
 * Returns how long one statement of a call may run, in milliseconds: that of a page is stopped sooner than that of an export or a change, of which
 * the caller expects to wait. A stopped one is `took_too_long`.
 */
export function statementTimeoutOf({ method, format = 'json' }: Pick<RouteShape, 'method' | 'format'>): number {
  return method === 'GET' && (format === 'json' || format === 'events') ? LIMITS.pageStatementMs : LIMITS.workStatementMs;
}

/** Returns whether `/reads` takes the route: it answers a session with JSON. */
export function isReadTogether(route: RouteShape): boolean {
  return isTakenTogether(route) && (route.format ?? 'json') === 'json';
}

/** Returns whether `/streams` takes the route: it sends events to a session. */
export function isFollowedTogether(route: RouteShape): boolean {
  return isTakenTogether(route) && route.format === 'events';
}

/** No call of it is recorded, and it has no limit of its own: one request of many counts once, for the general one. */
function isTakenTogether(route: RouteShape): boolean {
  return route.method === 'GET' && route.access.kind === 'session' && limitOf(route) === 'caller' && route.audit === undefined;
}

/** Returns whether the route works for staff who must set up two-step login first: their own profile, sessions and second step. */
export function answersBeforeMfa({ tag, access }: Pick<RouteShape, 'tag' | 'access'>): boolean {
  return tag === 'auth' && access.kind === 'session' && access.whileSuspended === true;
}

/** Returns whether the route answers for a suspended account. */
export function answersSuspended({ access }: Pick<RouteShape, 'access'>): boolean {
  return (access.kind === 'session' || access.kind === 'public') && access.whileSuspended === true;
}
