import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import {
  answersSuspended,
  bodyLimitOf,
  type Limit,
  limitOf,
  type RouteShape,
  statementTimeoutOf,
} from '@partner-portal/contract/define-route.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { refusedCall } from '@partner-portal/core/access/access.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/tx.ts';
import { AppError } from '../refuse.ts';
import { type AdmitDeps, admitOf, isWorthReading } from './admit-body.ts';
import { sendProblem, toRefusal } from './errors.ts';
import { buildContext, type CheckLogin, type Handlers, type Input, type RequestContext, type RouteName, browserOf } from './context.ts';
import { describeRoute } from './docs.ts';
import { limitHeaders, rateRefusal, type RateLimits } from './rate-limit.ts';
import { followTogether } from './follow-together.ts';
import { createInnerRoutes, type RunInner } from './inner-routes.ts';
import { networkOf } from './network.ts';
import { isAtHome } from './own-host.ts';
import { readTogether } from './read-together.ts';
import { isProven } from './callback-proof.ts';
import { parseInput, refuseForeignScope } from './parse-input.ts';
import { mediaType } from './media-type.ts';
import { emptyBody, type RawBody, tooLarge } from './raw-body.ts';
import type { StreamTimes } from './read-stream.ts';
import { type BodyBounds, receiveBody } from './receive-body.ts';
import { receiveUpload, type Upload } from './receive-upload.ts';
import { sendRefusalPage } from './refusal-page.ts';
import { type OnRefused, recordRefusals } from './refused-call.ts';
import { exporterOf, sendResult } from './send-result.ts';
import { requireDeclared } from './require-declared.ts';
import type { Sessions } from './session.ts';

/** Limits counted here, by the route table; `ingest` is counted by its route. */
type RouteLimit = Exclude<Limit, 'none' | 'ingest'>;

/** Routes whose module counts every refusal, at any check and from any caller: nothing of the caller is proven. */
export type RefusalCounts = { readonly [name in RouteName]?: (refusal: AppError) => void };

export type BindDeps = AdmitDeps & {
  sessions: Sessions;
  /** Rejects with the refusal once the session is no longer valid. Called repeatedly while an event stream is open. */
  assertSession?: Database['assertSession'];
  wasAsserted?: Database['wasAsserted'];
  /** Refuses a session that its token alone does not end: unused for too long, proven too long ago for this route, staff without a second step. */
  requireUsable?: (actor: Actor, route: RouteShape, now: Date) => Promise<void>;
  checkLogin?: CheckLogin;
  /** Notes that a session was used, by a request that was not refused. The response does not wait for it; a failure is logged. */
  noteUse?: (actor: Actor, use: { address: string; userAgent: string; now: Date }) => Promise<void>;
  limits: RateLimits<RouteLimit | 'tenant' | 'badCallbackToken'>;
  clock: Clock;
  /** Aborted when the server shuts down; ends event streams. */
  closing: AbortSignal;
  /** Records refusals by a rule on routes with an audit action. */
  onRefused: OnRefused;
  refusalCounts?: RefusalCounts;
  /** Looks at the file of an upload before anything reads it. Rejects with the refusal of one that must not be kept. */
  scanFile?: ((bytes: Buffer) => Promise<void>) | undefined;
  /** How long a body may take to arrive, and to make progress; 30 s and 10 s when left out. */
  bodyTimeoutMs?: number;
  bodyStallMs?: number;
};

/** Compression that holds nothing back. The library takes JSON lines for a type that cannot be compressed. */
const FLUSHED = {
  customTypes: /^application\/x-ndjson\b/,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  brotliOptions: { flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { flush: constants.Z_SYNC_FLUSH },
};

type LooseHandler = (input: Input<RouteShape>, context: RequestContext) => unknown;

/**
 * Binds every route of the table to its handler. Throws when a handler is missing or unknown, or when a route is not fully declared.
 */
export function bindRoutes(app: FastifyInstance, deps: BindDeps, routes: Record<string, RouteShape>, handlers: Partial<Handlers>): void {
  const inner = createInnerRoutes();
  const own: Partial<Handlers> = {
    ...('readTogether' in routes ? { readTogether: readTogether(app.publicBaseUrl, inner) } : {}),
    ...('followTogether' in routes ? { followTogether: followTogether(app.publicBaseUrl, inner, deps.assertSession) } : {}),
  };
  const bound = { ...handlers, ...own } as Record<string, LooseHandler | undefined>; // each handler was typed by its own route
  const unknown = Object.keys(bound).filter((name) => !(name in routes));
  const missing = Object.keys(routes).filter((name) => !bound[name]);
  if (unknown.length > 0 || missing.length > 0) {
    throw new Error(
      `Routes and handlers differ. Without handler: ${missing.join(', ') || 'none'}. Without route: ${unknown.join(', ') || 'none'}.`,
    );
  }
  for (const [name, route] of Object.entries(routes)) {
    const handler = bound[name];
    if (!handler) continue;
    bindRoute(app, deps, name, route, handler);
    if (route.method === 'GET') inner.add({ route, run: runInner(deps, route, handler) });
  }
}

/** Runs a route for the session of another request: all that binding it does but for the limit, which that request has counted. */
function runInner(deps: BindDeps, route: RouteShape, handler: LooseHandler): RunInner {
  return async (input, session, outer) => {
    if (route.mainHostOnly && outer.ownHost) throw new AppError('not_found');
    const actor = actorFor(route, session);
    await authorizeSession(deps, route, actor, input.query);
    const context: RequestContext = Object.create(outer, { actor: { value: actor }, caller: { value: actor } });
    return withValidSession(deps, actor, async () => handler(parseInput(route, input, false), context));
  };
}

/** Returns the permissions of the session on this route. */
function actorFor(route: RouteShape, session: Actor): Actor {
  return { ...session, whileSuspended: answersSuspended(route), statementTimeoutMs: statementTimeoutOf(route) };
}

/** Binds one route. Fixed order: session, rate limit, access, parse, handler, reply parse. Refusals by a rule are passed to `onRefused`. */
export function bindRoute(app: FastifyInstance, deps: BindDeps, name: string, route: RouteShape, handler: LooseHandler): void {
  requireDeclared(name, route);
  const ownBody = route.formToo === true;
  const bounds = boundsOf(deps, route);
  const actors = new WeakMap<FastifyRequest, Actor>();
  const recorded = recordRefusals(route, deps.onRefused);
  app.refusalPages.add(route);
  const countRefusal = deps.refusalCounts?.[name as RouteName]; // a name of the table; others have no entry
  const plugin = async (scope: FastifyInstance): Promise<void> => {
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
      // The form of an upload is read below, once the session is proven.
      route.upload ? payload : receiveBody(payload, request.headers, bounds, admitOf(app, deps, route, request)),
    );
    const bound: RouteOptions = {
      method: route.method,
      url: route.path,
      // A HEAD would be answered by an open stream that sends nothing.
      ...(route.format === 'events' ? { exposeHeadRoute: false } : {}),
      // Security headers for browsers mean nothing to machines that post events and reports.
      ...(route.access.kind === 'ingest' || route.access.kind === 'callback' ? { helmet: false } : {}),
      config: { ...(route.mainHostOnly ? { mainHostOnly: true } : {}), ...(route.format === 'events' ? { isStream: true } : {}) },
      schema: describeRoute(name, route),
      // Parsed below: one place decides which part is refused with which code.
      ...(route.format === 'file' ? { compress: false as const } : {}),
      // Each line leaves when it is there.
      ...(route.format === 'lines' ? { compress: FLUSHED } : {}),
      ...(route.refusedAt === undefined ? {} : { errorHandler: refusedAt(app.publicBaseUrl, route, route.refusedAt) }),
      ...(countRefusal
        ? {
            errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
              countRefusal(toRefusal(error));
              return sendProblem(app.publicBaseUrl, error, request, reply);
            },
          }
        : {}),
      validatorCompiler: () => () => true,
      serializerCompiler: () => (value) => JSON.stringify(value),
      onRequest: async (request, reply) => {
        // Responses for one person must not be cached, nor shown to the next person at the same browser.
        if (route.access.kind === 'session' || route.access.kind === 'public') void reply.header('cache-control', 'no-store');
        const actor = await identify(deps, route, request, reply);
        await requirePathProof(deps, route, request);
        if (!actor) return;
        await recorded(request, actor, () => authorizeSession(deps, route, actor, request.query));
        actors.set(request, actor);
        request.caller = actor;
      },
      handler: async (request, reply) => {
        const actor = actors.get(request) ?? null;
        const { params, query } = request;
        const run = async (body: unknown, raw: RawBody | null, upload: Upload | null): Promise<unknown> => {
          refuseForeignScope(actor, body);
          const context = buildContext(request, reply, actor, deps, raw, upload);
          const input = parseInput(route, { params, query, body }, ownBody);
          return isExport(route)
            ? app.exportTurns.open(exporterOf(actor, request), async () => handler(input, context))
            : handler(input, context);
        };
        const result = await recorded(request, actor, () =>
          withValidSession(deps, actor, async () => {
            if (route.upload) return withUpload(app, deps, route, request, actor, (upload) => run(upload.fields, null, upload));
            const received = (request.body as RawBody | undefined) ?? emptyBody(request.headers); // created by the parser above
            if (received.isCut) void reply.header('connection', 'close');
            return run(ownBody ? undefined : await readBody(deps, route, request, received), ownBody ? received : null, null);
          }),
        );
        if (actor && isUse(route, request)) noteUse(deps, request, actor);
        return sendResult(route, result, request, reply, actor, { ...deps, exportTurns: app.exportTurns });
      },
    };
    scope.route(bound);
    if (route.access.kind === 'ingest') addOtherForms(scope, bound);
  };
  // Without a name Fastify looks for each plugin among all loaded modules, which was a twentieth of a start.
  void app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name }));
}

/** People paste the address of events with a slash at its end, open it in a browser to see whether it works, and choose another method in the sender. */
function addOtherForms(scope: FastifyInstance, bound: RouteOptions): void {
  const hidden = { schema: { hide: true } };
  // Fastify adds HEAD to GET; OPTIONS is answered by CORS.
  const method = scope.supportedMethods.filter((name) => !['POST', 'HEAD', 'OPTIONS'].includes(name));
  const refuse = (): never => {
    throw new AppError('method_not_allowed', {
      detail: 'This address takes events with POST. Opening it in a browser starts nothing.',
      headers: { allow: 'POST' },
    });
  };
  scope.route({ ...bound, ...hidden, url: `${bound.url}/` });
  for (const url of [bound.url, `${bound.url}/`]) {
    // Refused before a body is read.
    scope.route({ method, url, helmet: false, ...hidden, onRequest: refuse, handler: refuse });
  }
}

function isExport({ format }: RouteShape): boolean {
  return format === 'csv' || format === 'ndjson';
}

/** The page of a refusal, on the host that was asked. A route that is not on this host has none: it does not exist there. */
function refusedAt(baseUrl: string, { mainHostOnly }: RouteShape, page: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    mainHostOnly && request.ownHost
      ? sendProblem(baseUrl, error, request, reply)
      : sendRefusalPage(request.ownHost?.baseUrl ?? baseUrl, page, error, request, reply);
}

/** Systems that forward events compress them, and mail gateways add the files of a mail; every other caller sends small bodies. */
function boundsOf(deps: BindDeps, route: RouteShape): BodyBounds {
  const isIngest = route.access.kind === 'ingest';
  return {
    bytesMax: bodyLimitOf(route),
    ...timesOf(deps),
    acceptsGzip: isIngest,
    bytesWithFilesMax: isIngest ? LIMITS.eventWithFilesBytesMax : undefined,
  };
}

function timesOf({ bodyTimeoutMs, bodyStallMs }: BindDeps): StreamTimes {
  return { timeoutMs: bodyTimeoutMs, stallMs: bodyStallMs };
}

/** Checks the proof of a callback whose path names its subject. A malformed id names nothing. */
async function requirePathProof(deps: BindDeps, route: RouteShape, request: FastifyRequest): Promise<void> {
  if (route.access.kind !== 'callback' || route.access.subjectIn !== 'path') return;
  const params = route.params?.safeParse(request.params);
  if (!params?.success) throw new AppError('not_found');
  await isProven(deps, String(params.data[route.access.subject]), request);
}

/** Reads a body as JSON. A callback whose body names its subject is proven before the body is parsed. */
async function readBody(deps: BindDeps, route: RouteShape, request: FastifyRequest, received: RawBody): Promise<unknown> {
  const { access } = route;
  if (access.kind !== 'callback') return received.readJson(received.scan({ anyText: false }));
  if (access.subjectIn === 'body' && !isWorthReading(deps, access.subject, request, received)) {
    await isProven(deps, null, request);
    throw tooLarge(LIMITS.unprovenBodyBytesMax);
  }
  // A callback reports other people's text: it is cleaned on its way in, since refusing it would leave its subject open.
  const scan = received.scan({ anyText: true, member: access.subject });
  if (access.subjectIn === 'path') return received.readJson(scan);
  return received.readJson(scan, (await isProven(deps, scan.member, request)) ? undefined : LIMITS.unprovenBodyBytesMax);
}

/** Receives a form with a file from a session that is valid. Its bytes count until the handler is done with them. */
async function withUpload<T>(
  app: FastifyInstance,
  deps: BindDeps,
  route: RouteShape,
  request: FastifyRequest,
  actor: Actor | null,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (actor) await deps.assertSession?.(actor);
  const bounds = { bytesMax: bodyLimitOf(route), ...timesOf(deps), fileTypes: route.fileAsBody };
  const stream = (request.body as Readable | undefined) ?? request.raw; // passed on by the parser
  using share = app.bodyBudget.share(
    actor ? { budget: 'tenant', key: actor.partnerId, part: actor.userId } : { budget: 'anonymous', key: networkOf(request.ip) },
  );
  const received = await receiveUpload(stream, request.headers, bounds, share);
  const isBody = route.fileAsBody?.includes(mediaType(request.headers)) === true;
  const upload = isBody ? { ...received, fields: request.query as Upload['fields'] } : received; // parsed by the schema of the body
  if (upload.file) await deps.scanFile?.(upload.file.bytes);
  return await work(upload);
}

/** Re-validates the session before any response is sent, refusals included. Costs a round trip only when no transaction asserted it. */
async function withValidSession<T>(deps: BindDeps, actor: Actor | null, work: () => Promise<T>): Promise<T> {
  const check = async (): Promise<void> => {
    if (!actor || !deps.assertSession || deps.wasAsserted?.(actor)) return;
    await deps.assertSession(actor);
  };
  try {
    const result = await work();
    await check();
    return result;
  } catch (error) {
    if (error instanceof AppError) await check();
    throw error;
  }
}

/** Whether a person or program called: no stream, and no page that no one has touched for a while says so. Both would keep an abandoned tab logged in. */
function isUse(route: RouteShape, { headers }: FastifyRequest): boolean {
  return route.format !== 'events' && headers['x-unattended'] === undefined;
}

/** Notes the use of a session that has just proven valid: by a request that was not refused. */
function noteUse(deps: BindDeps, request: FastifyRequest, actor: Actor): void {
  const use = { address: request.ip, userAgent: browserOf(request), now: deps.clock.now() };
  deps.noteUse?.(actor, use).catch((error: unknown) => request.log.warn({ err: error }, 'the use of a session was not noted'));
}

/** Checks access. A session that is no longer valid is refused as such, and nothing is recorded in its user's name. */
async function authorizeSession(deps: BindDeps, route: RouteShape, actor: Actor, query: unknown): Promise<void> {
  try {
    authorize(route, actor, query);
    await deps.requireUsable?.(actor, route, deps.clock.now());
  } catch (error) {
    await deps.assertSession?.({ ...actor, whileSuspended: true });
    throw error;
  }
}

/** Reads the session, then counts the request. A bad token still counts against its address. */
async function identify(deps: BindDeps, route: RouteShape, request: FastifyRequest, reply: FastifyReply): Promise<Actor | null> {
  let actor: Actor | null = null;
  let refusal: unknown;
  if (isSessionRead(route, request)) {
    try {
      actor = actorFor(route, deps.sessions.read(request.headers.authorization));
      // The views of others are opened on the service's own host.
      if (request.ownHost && (actor.readOnly || !isAtHome(request.ownHost, actor))) {
        actor = null;
        refusal = new AppError('unauthenticated', { detail: `This address is for clients of ${request.ownHost.name}.` });
      }
    } catch (error) {
      refusal = error;
    }
  }
  await limit(deps, route, actor, request, reply);
  if (refusal) throw refusal;
  return actor;
}

function isSessionRead({ access }: RouteShape, { headers }: FastifyRequest): boolean {
  return access.kind === 'session' || (access.kind === 'public' && access.mayHaveSession === true && headers.authorization !== undefined);
}

/** Checks the declared access, as far as the session alone decides it. */
function authorize(route: RouteShape, actor: Actor, query: unknown): void {
  if (route.access.kind !== 'session') return;
  const refusal = refusedCall(route, actor);
  if (refusal !== null) throw new AppError(refusal);
  refuseForeignScope(actor, query);
}

async function limit(deps: BindDeps, route: RouteShape, actor: Actor | null, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const name = limitOf(route);
  // The route itself counts `ingest`, once its token is verified.
  if (name === 'none' || name === 'ingest') return;
  const key = actor ? `user:${actor.userId}` : `ip:${request.ip}`;
  const [own, tenant] =
    actor && actor.role !== 'ADMIN'
      ? await deps.limits.countBoth([name, key], ['tenant', actor.partnerId])
      : [await deps.limits.count(name, key), null];
  void reply.headers(limitHeaders(own));
  if (own.exceeded) throw rateRefusal(own);
  if (tenant?.exceeded) throw rateRefusal(tenant);
}
