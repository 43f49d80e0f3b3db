import { Readable } from 'node:stream';
import type { RouteShape } from '@house/contract/define-route.ts';
import { LIMITS } from '@house/contract/vocabulary.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../refuse.ts';
import { findUnacceptable } from './acceptable.ts';
import { Answer, type CsvAnswer, type EventsAnswer } from './answer.ts';
import { buildContext, type Handlers, type Input, type RequestContext } from './context.ts';
import { csvChunks } from './csv.ts';
import { describeRoute } from './docs.ts';
import { fieldErrors } from './field-errors.ts';
import { limitHeaders, type RateLimits, tooFast } from './rate-limit.ts';
import { type RawBody, readRawBody } from './raw-body.ts';
import type { Sessions } from './session.ts';
import { streamEvents } from './sse.ts';

export type BindDeps = {
  sessions: Sessions;
  limits: RateLimits;
  clock: Clock;
  /** Aborted when the server shuts down; ends event streams. */
  closing: AbortSignal;
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

/** Fixed order for every route: session, rate limit, access, parse, handler, reply parse. */
export function bindRoute(app: FastifyInstance, deps: BindDeps, name: string, route: RouteShape, handler: LooseHandler): void {
  refuseHalfDeclared(name, route);
  const ownBody = route.formToo === true;
  const actors = new WeakMap<FastifyRequest, Actor>();
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
        const actor = await admit(deps, route, request, reply);
        if (!actor) return;
        actors.set(request, actor);
        request.caller = actor;
      },
      handler: async (request, reply) => {
        const actor = actors.get(request) ?? null;
        const rawBody = ownBody
          ? ((request.body as RawBody | undefined) ?? (await readRawBody(Readable.from([]), request.headers['content-type'] ?? '', 0)))
          : null; // our own parser made it
        if (!ownBody) refuseForeignScope(actor, request.body);
        const input = parseInput(route, request, ownBody);
        const result = await handler(input, buildContext(request, reply, actor, deps.clock, rawBody));
        return sendResult(route, result, request, reply, actor, deps);
      },
    });
  });
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

/** Session, then rate limit, then access. A bad token still counts against the address it came from. */
async function admit(deps: BindDeps, route: RouteShape, request: FastifyRequest, reply: FastifyReply): Promise<Actor | null> {
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
  if (route.access.kind !== 'session' || !actor) return null;
  if (!route.access.roles.includes(actor.role)) throw new AppError('role_forbidden');
  if (route.access.write && actor.readOnly) throw new AppError('view_as_read_only');
  if (route.access.write && actor.role === 'PARTNER' && actor.partnerRole !== 'admin') throw new AppError('partner_role_forbidden');
  refuseForeignScope(actor, request.query);
  return actor;
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

async function sendResult(
  route: RouteShape,
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | null,
  deps: BindDeps,
): Promise<unknown> {
  if (route.format === 'events') {
    const { source } = result as EventsAnswer; // typed by the route's format
    const lifeMs = actor ? actor.expiresAt.getTime() - deps.clock.now().getTime() : null;
    await streamEvents(request, reply, source, { lifeMs, closing: deps.closing });
    return reply;
  }
  if (route.format === 'csv') {
    const csv = result as CsvAnswer; // typed by the route's format
    const filename = csv.filename.replace(/[^\w.-]/g, '_');
    void reply.header('content-disposition', `attachment; filename="${filename}"`).type('text/csv; charset=utf-8');
    return reply.send(Readable.from(csvChunks(csv.columns, csv.rows)));
  }
  const { status, headers, text } = renderReply(route, result);
  void reply.headers(headers).code(status);
  return text === null ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
}

/** The answer as it leaves, parsed by the route's own reply schema; no text for a 204. */
function renderReply(
  route: RouteShape,
  result: unknown,
): { status: number; headers: Readonly<Record<string, string>>; text: string | null } {
  const { status, headers, body } = result instanceof Answer ? result : { status: defaultStatus(route), headers: {}, body: result };
  const schema = route.reply[status];
  if (!schema) throw new Error(`${route.method} ${route.path} answered ${status}, which it does not declare.`);
  if (status === 204) return { status, headers, text: null };
  const parsed = schema.safeParse(toWire(body));
  if (!parsed.success) {
    throw new Error(`${route.method} ${route.path} broke its own reply schema: ${JSON.stringify(fieldErrors(parsed.error).slice(0, 5))}`);
  }
  return { status, headers, text: JSON.stringify(parsed.data) };
}

function defaultStatus(route: RouteShape): number {
  return Math.min(...Object.keys(route.reply).map(Number));
}

/** Dates become ISO texts; everything else stays. The reply schema then strips what the contract does not name. */
function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) plain[name] = toWire(member);
  return plain;
}

function refuseHalfDeclared(name: string, route: RouteShape): void {
  const lacks: string[] = [];
  if (!route.access) lacks.push('access');
  if (!route.limit) lacks.push('limit');
  if (Object.keys(route.reply ?? {}).length === 0) lacks.push('reply');
  if (!Array.isArray(route.errors)) lacks.push('errors');
  const writes = route.access?.kind === 'session' && route.access.write;
  if (writes && !route.audit) lacks.push('audit');
  if (lacks.length > 0) throw new Error(`The route "${name}" does not declare: ${lacks.join(', ')}.`);
}
