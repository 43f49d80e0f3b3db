import type { BodyOf, ParamsOf, QueryOf, ReplyInputOf, RouteShape } from '@partner-portal/contract/define-route.ts';
import type { routes } from '@partner-portal/contract/index.ts';
import type { SpanContext } from '@partner-portal/core/tracing/trace-context.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { AppError } from '../refuse.ts';
import type { Answer, CsvAnswer, EventsAnswer, FileAnswer, LinesAnswer, NdjsonAnswer, PdfAnswer, StreamAnswer } from './answer.ts';
import { pathOf } from './errors.ts';
import type { OwnHost } from './own-host.ts';
import type { RawBody } from './raw-body.ts';
import type { Upload } from './receive-upload.ts';

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** Context of a request, passed to handlers with the parsed input. */
export type RequestContext = {
  /** The session. Throws on a route without one. */
  readonly actor: Actor;
  /** The session; null for a caller who has none, on a route that needs none. */
  readonly caller: Actor | null;
  readonly requestId: string;
  /** Tenant of the request's host; null for the service's own host. */
  readonly ownHost: OwnHost | null;
  readonly log: Log;
  /** Address of the caller. */
  readonly address: string;
  readonly userAgent: string;
  readonly now: Date;
  /** For a call that only sometimes needs a recent login. What it returns refuses `reauthentication_required` for an old one, also in a transaction. */
  checkLogin(): Promise<() => void>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The query as it was sent, without the question mark: what a signature may be over. */
  readonly rawQuery: string;
  /** One request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Unparsed body of a route that parses it itself (`formToo`). Throws on other routes. */
  readonly rawBody: RawBody;
  /** The file and texts of a route with `upload`. Throws on other routes. */
  readonly upload: Upload;
  /** Names a trace in the log line of the request. */
  noteTrace(context: SpanContext): void;
};

/** Parsed input. A route with `formToo` reads `context.rawBody` itself, after its other checks. */
export type Input<R extends RouteShape> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: R extends { formToo: true } ? undefined : BodyOf<R>;
};

/**
 * The values that a handler may return for T of the contract: dates for ISO texts, and any text for a closed list. Both are read from the database, and
 * the reply schema validates them again.
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
    : R extends { format: 'lines' }
      ? LinesAnswer
      : R extends { format: 'events' }
        ? EventsAnswer
        : R extends { format: 'pdf' }
          ? PdfAnswer
          : R extends { format: 'file' }
            ? FileAnswer
            : Body<R> | Answer<Body<R>> | (R extends { streams: object } ? StreamAnswer : never);

export type Handler<R extends RouteShape> = (input: Input<R>, context: RequestContext) => Promise<Result<R>> | Result<R>;
export type Handlers = { [N in RouteName]: Handler<Routes[N]> };

/** Keeps a module's handlers typed by their routes: `defineHandlers({ login: async ({ body }, context) => … })`. */
export function defineHandlers<N extends RouteName>(handlers: Pick<Handlers, N>): Pick<Handlers, N> {
  return handlers;
}

/** Reads how old the login of a session is; what it returns refuses an old one. */
export type CheckLogin = (actor: Actor, now: Date) => Promise<() => void>;

export function buildContext(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'raw'>,
  actor: Actor | null,
  { clock, checkLogin }: { clock: Clock; checkLogin?: CheckLogin },
  rawBody: RawBody | null,
  upload: Upload | null = null,
): RequestContext {
  let closed: AbortController | undefined;
  let log: Log | undefined;
  return {
    get actor() {
      if (!actor) throw new Error(`The route ${request.routeOptions.url ?? ''} has no session.`);
      return actor;
    },
    get rawBody() {
      if (!rawBody) throw new Error(`The route ${request.routeOptions.url ?? ''} has a parsed body.`);
      return rawBody;
    },
    get upload() {
      if (!upload) throw new Error(`The route ${request.routeOptions.url ?? ''} takes no file.`);
      return upload;
    },
    caller: actor,
    requestId: request.id,
    ownHost: request.ownHost,
    get log() {
      // Created on first use.
      log ??= (request.log as Log).child({ requestId: request.id }); // the server is built with our logger
      return log;
    },
    noteTrace(context) {
      request.trace = context;
    },
    address: request.ip,
    userAgent: browserOf(request),
    now: clock.now(),
    async checkLogin() {
      if (!checkLogin) throw new Error('This server cannot read how old a login is.');
      return checkLogin(this.actor, clock.now());
    },
    get signal() {
      // Created on first use: most handlers never read it.
      closed ??= abortOnClose(reply);
      return closed.signal;
    },
    get rawQuery() {
      const { url } = request;
      return url.slice(pathOf(url).length + 1);
    },
    header(name) {
      const value = request.headers[name];
      if (Array.isArray(value)) throw new AppError('invalid_query', { detail: `Send the header ${name} only once.` });
      return value;
    },
  };
}

export function browserOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return (headers['user-agent'] ?? '').slice(0, 300);
}

/** Aborts when the response stream closes before it was written: the caller has disconnected. */
function abortOnClose(reply: Pick<FastifyReply, 'raw'>): AbortController {
  const closed = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) closed.abort();
  });
  return closed;
}
