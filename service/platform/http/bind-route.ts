import { Readable } from 'node:stream';
import { isAllowedInViewAs, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/tx.ts';
import { AppError } from '../refuse.ts';
import { findUnacceptable } from './acceptable.ts';
import { buildContext, type Handlers, type Input, type RequestContext } from './context.ts';
import { describeRoute } from './docs.ts';
import { fieldErrors } from './field-errors.ts';
import { limitHeaders, type RateLimits, tooFast } from './rate-limit.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import { noteRefusals, type OnRefused } from './refused-call.ts';
import { renderReply, sendResult } from './send-result.ts';
import type { Sessions } from './session.ts';

export type BindDeps = {
  sessions: Sessions;
  /** Rejects with the refusal once the session stands no more: asked again and again while an event stream is open. */
  assertSession?: Database['assertSession'];
  wasAsserted?: Database['wasAsserted'];
  limits: RateLimits;
  clock: Clock;
  /** Aborted when the server shuts down; ends event streams. */
  closing: AbortSignal;
  /** Keeps what a rule refused on routes with an audit action. */
  onRefused: OnRefused;
};

type LooseHandler = (input: Input<RouteShape>, context: RequestContext) => unknown;

/**
 * Binds every route of the table to its handler. Refuses to boot when a handler is missing or unknown, or when a route
 * lacks what the contract demands: a route that is half declared must not exist.
 */
export function bindRoutes(app: FastifyInstance, deps: BindDeps, routes: Record<string, RouteShape>, handlers: Partial<Handlers>): void {
  const bound = handlers as Record<string, LooseHandler | undefined>; // each handler was typed by its own route
  const unknown = Object.keys(bound).filter((name) => !(name in routes));
  const missing = Object.keys(routes).filter((name) => !bound[name]);
  if (unknown.length > 0 || missing.length > 0) {
    throw new Error(
      `Routes and handlers differ. Without handler: ${missing.join(', ') || 'none'}. Without route: ${unknown.join(', ') || 'none'}.`,
    );
  }
  for (const [name, route] of Object.entries(routes)) {
    const handler = bound[name];
    if (handler) bindRoute(app, deps, name, route, handler);
  }
}

/** Fixed order for every route: session, rate limit, access, parse, handler, reply parse. What a rule refuses on the way is told to `onRefused`. */
export function bindRoute(app: FastifyInstance, deps: BindDeps, name: string, route: RouteShape, handler: LooseHandler): void {
  refuseHalfDeclared(name, route);
  const ownBody = route.formToo === true;
  const actors = new WeakMap<FastifyRequest, Actor>();
  const noted = noteRefusals(route, deps.onRefused);
  if (route.access.kind === 'ingest') openDoor(app, deps, route, handler);
  void app.register(async (scope) => {
    if (ownBody) {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
        readRawBody(payload, request.headers['content-type'] ?? '', LIMITS.bodyBytesMax),
      );
    }
    scope.route({
      method: route.method,
      url: route.path,
      // Headers for browsers mean nothing to machines that post events and reports.
      ...(route.access.kind === 'ingest' || route.access.kind === 'callback' ? { helmet: false } : {}),
      schema: describeRoute(name, route),
      // Parsing is ours: one place decides which part answers with which code.
      validatorCompiler: () => () => true,
      serializerCompiler: () => (value) => JSON.stringify(value),
      onRequest: async (request, reply) => {
        const handed = app.door.handed(request.raw);
        if (handed) throw handed.error;
        // What one person may see is nothing for a cache to keep, nor for the next person at the same browser.
        if (route.access.kind === 'session' || route.access.kind === 'public') void reply.header('cache-control', 'no-store');
        const actor = await identify(deps, route, request, reply);
        if (!actor) return;
        await noted(request, actor, () => authoriseStanding(deps, route, actor, request.query));
        actors.set(request, actor);
        request.caller = actor;
      },
      handler: async (request, reply) => {
        const actor = actors.get(request) ?? null;
        const rawBody = ownBody
          ? ((request.body as RawBody | undefined) ?? (await readRawBody(Readable.from([]), request.headers['content-type'] ?? '', 0)))
          : null; // our own parser made it
        const result = await noted(request, actor, () =>
          whileStanding(deps, route, actor, async () => {
            if (!ownBody) refuseForeignScope(actor, request.body);
            return handler(parseInput(route, request, ownBody), buildContext(request, reply, actor, deps.clock, rawBody));
          }),
        );
        return sendResult(route, result, request, reply, actor, deps);
      },
    });
  });
}

/**
 * Whatever is answered, a refusal included, is answered to a session that stands. Handlers assert it in their first
 * transaction; only where none was opened it costs a round trip here.
 */
async function whileStanding<T>(deps: BindDeps, route: RouteShape, actor: Actor | null, work: () => Promise<T>): Promise<T> {
  const check = async (): Promise<void> => {
    if (!actor || !deps.assertSession || deps.wasAsserted?.(actor)) return;
    await deps.assertSession(actor, { whileSuspended: route.access.kind === 'session' && route.access.whileSuspended === true });
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

/** A refusal is told to a session that stands: who was signed out or removed learns that, and nothing goes on record as theirs. */
async function authoriseStanding(deps: BindDeps, route: RouteShape, actor: Actor, query: unknown): Promise<void> {
  try {
    authorise(route, actor, query);
  } catch (error) {
    await deps.assertSession?.(actor, { whileSuspended: true });
    throw error;
  }
}

/** The short way to the same handler, for calls that need none of the framework (event-door.ts). */
function openDoor(app: FastifyInstance, deps: BindDeps, route: RouteShape, handler: LooseHandler): void {
  app.door.open(route.path, async (call) => {
    const request = { id: call.id, ip: call.ip, headers: call.headers, log: app.log, routeOptions: { url: route.path } };
    const context = buildContext(request, call, null, deps.clock, call.rawBody);
    const { status, headers, text } = renderReply(route, await handler(parseInput(route, call, true), context));
    return { status, headers, text: text ?? '' };
  });
}

/** Session, then rate limit. A bad token still counts against the address it came from. */
async function identify(deps: BindDeps, route: RouteShape, request: FastifyRequest, reply: FastifyReply): Promise<Actor | null> {
  let actor: Actor | null = null;
  let refusal: unknown;
  if (route.access.kind === 'session') {
    try {
      actor = deps.sessions.read(request.headers.authorization);
    } catch (error) {
      refusal = error;
    }
  }
  await limit(deps, route, actor, request, reply);
  if (refusal) throw refusal;
  return actor;
}

/** The declared access, as far as the session alone can tell. */
function authorise(route: RouteShape, actor: Actor, query: unknown): void {
  if (route.access.kind !== 'session') return;
  if (!route.access.roles.includes(actor.role)) throw new AppError('role_forbidden');
  if (actor.readOnly && !isAllowedInViewAs(route)) throw new AppError('view_as_read_only');
  if (route.access.write && actor.role === 'PARTNER' && actor.partnerRole !== 'admin') throw new AppError('partner_role_forbidden');
  refuseForeignScope(actor, query);
}

async function limit(deps: BindDeps, route: RouteShape, actor: Actor | null, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // The ingest limit is counted per workflow, by the route itself, once its token is proved.
  if (route.limit === 'none' || route.limit === 'ingest') return;
  const own = await deps.limits.count(route.limit, actor ? `user:${actor.userId}` : `ip:${request.ip}`);
  void reply.headers(limitHeaders(own));
  if (own.exceeded) throw tooFast(route.limit, own);
  if (!actor || actor.role === 'ADMIN') return;
  const agency = await deps.limits.count('partner', actor.partnerId);
  if (agency.exceeded) throw tooFast('partner', agency);
}

/** A `partnerId` from anybody but staff is refused, whatever its value (product.md §2.4, Scope). */
function refuseForeignScope(actor: Actor | null, given: unknown): void {
  if (!actor || actor.role === 'ADMIN' || typeof given !== 'object' || given === null) return;
  if ('partnerId' in given) throw new AppError('scope_forbidden', { detail: 'The agency comes from your session. Leave partnerId out.' });
}

function parseInput(route: RouteShape, request: { params: unknown; query: unknown; body?: unknown }, ownBody: boolean): Input<RouteShape> {
  const params = route.params?.safeParse(request.params);
  // An id that is none cannot name anything: the same answer as for an unknown one.
  if (params && !params.success) throw new AppError('not_found');
  const unreadable = findUnacceptable(request.query, { anyText: false });
  if (unreadable)
    throw new AppError('invalid_query', { detail: `The query parameter "${unreadable.path}" was not accepted: ${unreadable.message}` });
  const query = route.query?.safeParse(request.query);
  if (query && !query.success) {
    const [first] = fieldErrors(query.error);
    throw new AppError('invalid_query', {
      detail: `The query parameter "${first?.field ?? ''}" was not accepted: ${first?.message ?? ''}`,
    });
  }
  const body = ownBody ? undefined : parseBody(route, request.body);
  return { params: params?.data ?? {}, query: query?.data ?? {}, body } as Input<RouteShape>; // each part was parsed by its own schema
}

function parseBody(route: RouteShape, given: unknown): unknown {
  if (!route.body) return undefined;
  // What a flow reports is other people's text: it is cleaned on its way in, since refusing it would leave its run open.
  const wrong = findUnacceptable(given, { anyText: route.access.kind === 'callback' });
  if (wrong) {
    const errors = [{ field: wrong.path, code: wrong.code, message: wrong.message }];
    throw new AppError('validation_failed', { detail: '1 field was not accepted.', errors });
  }
  let parsed = route.body.safeParse(given ?? undefined);
  // Nothing sent where an object is wanted: name the members that are missing rather than "the body".
  if (!parsed.success && (given === undefined || given === null)) parsed = route.body.safeParse({});
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const count = errors.length === 1 ? '1 field was' : `${errors.length} fields were`;
  throw new AppError('validation_failed', { detail: `${count} not accepted.`, errors });
}

function refuseHalfDeclared(name: string, route: RouteShape): void {
  const lacks: string[] = [];
  if (!route.access) lacks.push('access');
  if (!route.limit) lacks.push('limit');
  if (Object.keys(route.reply ?? {}).length === 0) lacks.push('reply');
  if (!Array.isArray(route.errors)) lacks.push('errors');
  // Events and reports keep records of their own; what a person or nobody does is accounted for here.
  const isOurs = route.access?.kind === 'session' || route.access?.kind === 'public';
  const writes = route.method !== 'GET' || (route.access?.kind === 'session' && route.access.write);
  if (isOurs && writes && !route.audit && !route.changesNothing) lacks.push('audit (or changesNothing)');
  if (lacks.length > 0) throw new Error(`The route "${name}" does not declare: ${lacks.join(', ')}.`);
}
