import type { z } from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { ErrorCode } from './errors.ts';
import type { Role } from './vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route. There is no default: a route without `access` does not compile and does not boot.
 *
 * - `public`: no login. A word someone wrote, never an absence.
 * - `session`: a bearer session with one of `roles`. `write: true` refuses moderators (403 partner_role_forbidden) and read-only sessions.
 *   `whileSuspended: true` marks the few routes that answer for a suspended account (product.md §4.4).
 *   A view-as session may use what reads (GET) and nothing else; `inViewAs` says so where that rule is wrong: `true` for a
 *   POST that changes nothing or ends the view, `false` for a GET that shows a secret.
 * - `ingest`: the ingest token in the query is the proof. - `callback`: the header X-Callback-Token is the proof.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'session'; roles: readonly Role[]; write: boolean; whileSuspended?: boolean; inViewAs?: boolean }
  | { kind: 'ingest' }
  | { kind: 'callback' };

/** Which rate limit applies (product.md §2.4). `caller`: 100/60 s and the agency throttle; named ones replace it; `none` only for docs, health, callbacks. */
export type Limit = 'caller' | 'register' | 'mfaVerify' | 'ingest' | 'none';

export type Replies = { [status: number]: z.ZodType };

/**
 * How the answer leaves: one JSON value, nothing (204), a CSV stream, a stream of JSON lines (each as `reply` says), an event
 * stream, another page to go to (`redirect`: no body, the header Location) or an XML text.
 */
export type Format = 'json' | 'csv' | 'ndjson' | 'events' | 'redirect' | 'xml';

export type RouteShape = {
  method: Method;
  /** Fastify path, for example `/clients/:id`. */
  path: string;
  tag: Tag;
  summary: string;
  access: Access;
  limit: Limit;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** `formToo`: the body may also arrive as application/x-www-form-urlencoded. */
  body?: z.ZodType;
  formToo?: boolean;
  reply: Replies;
  format?: Format;
  errors: readonly ErrorCode[];
  /** The audit action that a call writes, refused ones included. Every route that is no GET names one, or says why it `changesNothing`. */
  audit?: AuditAction;
  /** Why a route that is no GET leaves nothing to account for: "Shows what would be sent." */
  changesNothing?: string;
  /** Honours the Idempotency-Key header (product.md §2.4). */
  idempotent?: boolean;
};

/** Tag groups of the API. Source: specification, Tag groups. */
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

/** Keeps the literal types of one route declaration. The declaration is the route: the server binds it, the client calls it, the document prints it. */
export function defineRoute<const R extends RouteShape>(route: R): R {
  return route;
}

type Infer<S, Else> = S extends z.ZodType ? z.output<S> : Else;
type Input<S, Else> = S extends z.ZodType ? z.input<S> : Else;

export type ParamsOf<R extends RouteShape> = Infer<R['params'], Record<never, never>>;
export type QueryOf<R extends RouteShape> = Infer<R['query'], Record<never, never>>;
export type BodyOf<R extends RouteShape> = Infer<R['body'], undefined>;
export type QueryInputOf<R extends RouteShape> = Input<R['query'], Record<never, never>>;
export type BodyInputOf<R extends RouteShape> = Input<R['body'], undefined>;
/** The success body a caller receives: the union over the declared statuses; of JSON lines the text. */
export type ReplyOf<R extends RouteShape> = R extends { format: 'ndjson' }
  ? string
  : R['reply'][keyof R['reply']] extends z.ZodType
    ? z.output<R['reply'][keyof R['reply']]>
    : never;
/** What a handler must return. Unknown members are stripped by the reply schema before they leave. */
export type ReplyInputOf<R extends RouteShape> = R['reply'][keyof R['reply']] extends z.ZodType
  ? z.input<R['reply'][keyof R['reply']]>
  : never;

/** Whether a read-only view-as session may use the route (product.md §10, View as client). */
export function isAllowedInViewAs({ method, access }: Pick<RouteShape, 'method' | 'access'>): boolean {
  return access.kind !== 'session' || (access.inViewAs ?? method === 'GET');
}
