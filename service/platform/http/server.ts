import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { SpanContext } from '@partner-portal/core/tracing/trace-context.ts';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Actor } from '../actor.ts';
import { newId } from '../ids.ts';
import { type Log, stripToken } from '../log.ts';
import { defineHistogram } from '../measure.ts';
import { AppError } from '../refuse.ts';
import { type BodyBudget, type BudgetLimits, type BudgetName, createBodyBudget } from './body-budget.ts';
import { registerDocs } from './docs.ts';
import { pathOf, sendProblem } from './errors.ts';
import { createExportTurns, type ExportTurns } from './export-turns.ts';
import type { FindOwnHost, OwnHost } from './own-host.ts';
import { sendPage } from './html-page.ts';
import { ROUTER_OPTIONS } from './inner-routes.ts';
import { registerPortal } from './portal.ts';
import { rateRefusal, type RateLimits } from './rate-limit.ts';
import { createRefusalPages, type RefusalPages, sendRefusalPage } from './refusal-page.ts';
import { registerSecurityHeaders } from './security-headers.ts';
import type { TextPage } from './text-page.ts';

export type ServerOptions = {
  log: Log;
  /** Public base address without a trailing slash; the origin of problem types. */
  baseUrl: string;
  corsOrigins: readonly string[];
  /** Whether browsers are to use https for the names below the public host too; false when left out. */
  hstsSubdomains?: boolean;
  /** Proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  limits: RateLimits<'caller'>;
  portalDir: string;
  /** Texts of the operator, each a page; none when left out. */
  textPages?: readonly TextPage[];
  /** Finds the tenant of a request's host; without it, no host has a tenant. */
  findOwnHost?: FindOwnHost;
  /** How long open connections may take to finish when the server closes; 10 s when left out. */
  closeGraceMs?: number;
  /** How long a peer may take nothing of a reply; a minute when left out. */
  stallMs?: number;
  /** Whether spans of a trace are recorded, so that its id leads to them; none are when left out. */
  isSampled?: ((traceId: string) => boolean) | undefined;
  /** Bytes of the bodies that may be on their way at once; those of body-budget.ts where left out. */
  bodyBudgets?: Partial<Record<BudgetName, BudgetLimits>>;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the log line of the request. */
    caller: Actor | null;
    /** For the log line of the request; null where none was noted. */
    trace: SpanContext | null;
    /** Tenant of the request's host; null for the service's own host. */
    ownHost: OwnHost | null;
  }
  interface FastifyContextConfig {
    /** Not found on the host of a tenant. */
    mainHostOnly?: boolean;
    /** Its responses are event streams, which last for as long as their reader stays. */
    isStream?: boolean;
  }
  interface FastifyInstance {
    /** Origin of problem types, without a trailing slash. */
    publicBaseUrl: string;
    bodyBudget: BodyBudget;
    exportTurns: ExportTurns;
    refusalPages: RefusalPages;
  }
}

const requests = defineHistogram('portal_http_request_duration_seconds', {
  help: 'HTTP requests by method, route and class of the status, until the response was sent. One count is one response; event streams that opened are left out. Route none: no route matched.',
  labels: ['method', 'route', 'status'],
  // Few: there are hundreds of routes, and the page of all is written in one turn of the event loop.
  buckets: [0.01, 0.05, 0.25, 1, 5],
});
const CLOSE_GRACE_MS = 10_000;
const STALL_MS = 60_000;
const TIMES = { requestTimeout: 30_000, keepAliveTimeout: 72_000 };

/**
 * Creates the HTTP server without API routes: request ids, limits on time and size, security headers, CORS by allowlist, problem+json for
 * all errors, the API document and the portal. Routes are bound afterwards.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  // The members are a closed list without secrets: redacting each line would cost more than the request.
  const requestLog = options.log.child({}, { redact: [] });
  const refusalPages = createRefusalPages();
  const app: FastifyInstance = Fastify({
    serverFactory: (framework) => serve(framework, options.stallMs ?? STALL_MS),
    loggerInstance: options.log as FastifyBaseLogger, // pino, under the framework's narrower name
    // The hook below writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger is created where one is used: most requests write a single line.
    childLoggerFactory: (logger) => logger,
    genReqId: () => newId(),
    requestIdHeader: false,
    ...TIMES,
    connectionTimeout: 0,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    return503OnClosing: true,
    routerOptions: ROUTER_OPTIONS,
    // Refusals of the router itself pass no hook and no error handler.
    frameworkErrors: (error, request, reply) => {
      const page = refusalPages.find(request.url);
      void reply.header('x-request-id', request.id);
      void (page === undefined
        ? sendProblem(options.baseUrl, error, request, reply)
        : sendRefusalPage(options.baseUrl, page, error, request, reply));
    },
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('ownHost', null);
  app.decorate('publicBaseUrl', options.baseUrl);
  app.decorate('refusalPages', refusalPages);
  app.decorate('bodyBudget', createBodyBudget(options.bodyBudgets));
  app.decorate('exportTurns', createExportTurns());
  app.addHook('preClose', async () => {
    // A response in progress is finished; a sender that stalls must not keep the process from ending.
    setTimeout(() => app.server.closeAllConnections(), options.closeGraceMs ?? CLOSE_GRACE_MS).unref();
  });
  // Each route receives its own body; where there is no route nothing is read.
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    const found = options.findOwnHost?.(request.host) ?? null;
    request.ownHost = found instanceof Promise ? await found : found;
    if (!request.ownHost) return;
    const path = pathOf(request.url);
    // Routes about the platform itself have no place on a tenant's host.
    if (path === '/' || path === '/index.html') return reply.redirect('/login');
    if (request.routeOptions.config.mainHostOnly) throw new AppError('not_found');
  });
  app.addHook('onResponse', async (request, reply) => {
    requestLog.info(
      {
        requestId: request.id,
        method: request.method,
        // Without the query, which may hold tokens.
        path: stripToken(pathOf(request.url)),
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        userId: request.caller?.userId,
        partnerId: request.caller?.partnerId,
        trace_id: request.trace?.traceId,
        span_id: request.trace?.spanId,
      },
      'request',
    );
    measure(request, reply, options.isSampled);
  });
  app.setErrorHandler((error, request, reply) => sendProblem(options.baseUrl, error, request, reply));
  await registerSecurityHeaders(app, options);
  await registerCors(app, options);
  await app.register(compress, {
    threshold: 1024,
    // A route decides itself which compressed bodies it takes (raw-body.ts).
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  const findPage = await registerPortal(app, options.portalDir, options.baseUrl, options.textPages);
  await registerDocs(app, options.baseUrl);
  app.setNotFoundHandler(async (request, reply) => {
    const answer = findPage?.(request) ?? null;
    if (answer?.status === 200) return sendPage(request, reply, answer);
    // Guessing addresses counts against the caller's limit.
    const state = await options.limits.count('caller', `ip:${request.ip}`);
    if (state.exceeded) throw rateRefusal(state);
    if (answer) return sendPage(request, reply, answer);
    throw new AppError('not_found', { detail: `No such endpoint: ${request.method} ${pathOf(request.url)}.` });
  });
  return app;
}

function measure(request: FastifyRequest, reply: FastifyReply, isSampled: ServerOptions['isSampled']): void {
  const { routeOptions, trace } = request;
  const { statusCode } = reply;
  if (routeOptions.config.isStream && statusCode < 400) return;
  // Without a route, anyone chooses the method.
  const { url: route = 'none' } = routeOptions;
  const method = route === 'none' ? 'none' : request.method;
  const traceId = trace !== null && isSampled?.(trace.traceId) ? trace.traceId : undefined;
  requests.observe({ method, route, status: `${Math.floor(statusCode / 100)}xx` }, reply.elapsedTime, traceId);
}

async function registerCors(app: FastifyInstance, options: ServerOptions): Promise<void> {
  const allowed = new Set(options.corsOrigins);
  const shared: FastifyCorsOptions = {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'last-event-id', 'prefer'],
    exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
    maxAge: 600,
    strictPreflight: false,
  };
  await app.register(cors, () => (request: FastifyRequest, done: (error: Error | null, settings: FastifyCorsOptions) => void) => {
    const { origin } = request.headers;
    // The host of a tenant is open to its own pages only.
    const isAllowed = origin !== undefined && (request.ownHost ? origin === request.ownHost.baseUrl : allowed.has(origin));
    done(null, { ...shared, origin: isAllowed });
  });
}

/** The server of Node, which also ends a connection whose peer takes nothing of a reply. */
function serve(framework: RequestListener, stallMs: number): Server {
  const server = createHttpServer((request, response) => {
    response.on('timeout', endStalled);
    framework(request, response);
  });
  server.keepAliveTimeout = TIMES.keepAliveTimeout;
  server.requestTimeout = TIMES.requestTimeout;
  server.timeout = stallMs;
  return server;
}

/** Ends a connection whose reply waits in memory; one that waits for its reply goes on. */
function endStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
