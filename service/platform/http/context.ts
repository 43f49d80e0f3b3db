import type { BodyOf, ParamsOf, QueryOf, ReplyInputOf, RouteShape } from '@partner-portal/contract/define-route.ts';
import type { routes } from '@partner-portal/contract/index.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { AppError } from '../refuse.ts';
import type { Answer, CsvAnswer, EventsAnswer, NdjsonAnswer } from './answer.ts';
import type { RawBody } from './raw-body.ts';

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a handler knows beside its parsed input. */
export type RequestContext = {
  /** The session. Reading it on a route without one is a fault of ours and throws. */
  readonly actor: Actor;
  readonly requestId: string;
  readonly log: Log;
  /** Address of the caller. */
  readonly address: string;
  readonly userAgent: string;
  readonly now: Date;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** One request header by its lower-case name. */
  header(name: string): string | undefined;
  /** The unread body of a route that parses it itself (`formToo`). */
  readonly rawBody: RawBody;
};

/** Parsed input. A route with `formToo` checks other things before its body, so it reads `context.rawBody` itself. */
export type Input<R extends RouteShape> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: R extends { formToo: true } ? undefined : BodyOf<R>;
};

/**
 * What a handler may hand back where the contract wants T: dates for ISO texts, and any text for a closed list, since
 * both come from the database and the reply schema checks them again before they leave.
 */
export type Loose<T> = T extends string
  ? string | Date
  : T extends number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Loose<Item>[]
      : T extends object
        ? { [K in keyof T]: Loose<T[K]> }
        : T;

type Body<R extends RouteShape> = Loose<ReplyInputOf<R>>;
export type Result<R extends RouteShape> = R extends { format: 'csv' }
  ? CsvAnswer
  : R extends { format: 'ndjson' }
    ? NdjsonAnswer
    : R extends { format: 'events' }
      ? EventsAnswer
      : Body<R> | Answer<Body<R>>;

export type Handler<R extends RouteShape> = (input: Input<R>, context: RequestContext) => Promise<Result<R>> | Result<R>;
export type Handlers = { [N in RouteName]: Handler<Routes[N]> };

/** Keeps a module's handlers typed by their routes: `defineHandlers({ login: async ({ body }, context) => … })`. */
export function defineHandlers<N extends RouteName>(handlers: Pick<Handlers, N>): Pick<Handlers, N> {
  return handlers;
}

/** What a context is made of: the framework's request and reply, or the door's. */
export type ContextRequest = Pick<FastifyRequest, 'id' | 'ip' | 'headers'> & { log: unknown; routeOptions: { url?: string | undefined } };

export function buildContext(
  request: ContextRequest,
  reply: Pick<FastifyReply, 'raw'>,
  actor: Actor | null,
  clock: Clock,
  rawBody: RawBody | null,
): RequestContext {
  let gone: AbortController | undefined;
  let log: Log | undefined;
  return {
    get actor() {
      if (!actor) throw new Error(`The route ${request.routeOptions.url ?? ''} has no session to read.`);
      return actor;
    },
    get rawBody() {
      if (!rawBody) throw new Error(`The route ${request.routeOptions.url ?? ''} has its body parsed already.`);
      return rawBody;
    },
    requestId: request.id,
    get log() {
      // Made only when asked for, with what ties its lines to the request.
      log ??= (request.log as Log).child({ requestId: request.id }); // the server is built with our logger
      return log;
    },
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    now: clock.now(),
    get signal() {
      // Made only when asked for: most handlers never look.
      gone ??= abortOnClose(reply);
      return gone.signal;
    },
    header(name) {
      const value = request.headers[name];
      if (Array.isArray(value)) throw new AppError('invalid_query', { detail: `The header ${name} may be sent once.` });
      return value;
    },
  };
}

/** The answer's stream closing before it was written means that nobody waits any more. */
function abortOnClose(reply: Pick<FastifyReply, 'raw'>): AbortController {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone;
}
