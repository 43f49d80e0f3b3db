import type { IncomingMessage } from 'node:http';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Actor } from '../actor.ts';
import { newId } from '../ids.ts';
import { type Log, stripToken } from '../log.ts';
import { AppError } from '../refuse.ts';
import { registerDocs } from './docs.ts';
import { pathOf, sendProblem } from './errors.ts';
import { createEventDoor, type EventDoor } from './event-door.ts';
import { registerPortal } from './portal.ts';
import { type RateLimits, tooFast } from './rate-limit.ts';

export type ServerOptions = {
  log: Log;
  /** Public base address without a trailing slash; the origin of problem types. */
  baseUrl: string;
  corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  limits: RateLimits;
  portalDir: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, for the one log line of the request. */
    caller: Actor | null;
  }
  interface FastifyInstance {
    /** The short way of events. */
    door: EventDoor;
  }
}

const TIMES = { requestTimeout: 30_000, keepAliveTimeout: 72_000 };

/**
 * The HTTP face without any route of ours: request ids, limits on time and size, security headers, CORS by allowlist,
 * problem+json for everything that goes wrong, the docs and the portal. Routes are bound afterwards.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  // Its members are a closed list, none of which can hold a secret: searching each line for some would cost more than the request.
  const lines = options.log.child({}, { redact: [] });
  const door = createEventDoor({
    trustsProxies: options.trustedProxies.length > 0,
    tell: ({ requestId, ...line }) => lines.info({ requestId, method: 'POST', ...line }, 'request'),
  });
  const app: FastifyInstance = Fastify({
    serverFactory: (framework) => door.serve(framework, TIMES),
    loggerInstance: options.log as FastifyBaseLogger, // pino, under the framework's narrower name
    // One line per request, written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request is made where one is used: most requests write their one line and nothing else.
    childLoggerFactory: (logger) => logger,
    genReqId: (request: IncomingMessage) => door.handed(request)?.id ?? newId(),
    requestIdHeader: false,
    bodyLimit: LIMITS.bodyBytesMax,
    ...TIMES,
    connectionTimeout: 0,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    // What the router itself refuses passes no hook and no error handler.
    frameworkErrors: (error, request, reply) => void sendProblem(options.baseUrl, error, request, reply.header('x-request-id', request.id)),
  });
  app.decorateRequest('caller', null);
  app.decorate('door', door);
  app.addHook('preClose', async () => door.shut());
  readJson(app);
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const handed = door.handed(request.raw);
    lines.info(
      {
        requestId: request.id,
        method: request.method,
        // The path alone: queries may hold tokens.
        path: stripToken(pathOf(request.url)),
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round((handed ? performance.now() - handed.beganAt : reply.elapsedTime) * 10) / 10,
        address: request.ip,
        userId: request.caller?.userId,
        partnerId: request.caller?.partnerId,
      },
      'request',
    );
  });
  app.setErrorHandler((error, request, reply) => sendProblem(options.baseUrl, error, request, reply));
  await registerHeaders(app, options);
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  const portalAnswer = await registerPortal(app, options.portalDir);
  await registerDocs(app, options.baseUrl);
  app.setNotFoundHandler(async (request, reply) => {
    const answer = portalAnswer?.(request);
    if (answer === 'page') return reply.header('cache-control', 'no-cache').sendFile('index.html');
    // Whoever looks for addresses by trying is slowed down like any other caller.
    const state = await options.limits.count('caller', `ip:${request.ip}`);
    if (state.exceeded) throw tooFast('caller', state);
    // Without a tag of its version: who asks whether a copy is still good would be answered 404 without a body.
    if (answer === 'no_page') return reply.code(404).sendFile('index.html', { etag: false, lastModified: false });
    throw new AppError('not_found', { detail: `${request.method} ${pathOf(request.url)} leads nowhere.` });
  });
  return app;
}

/** JSON and nothing else, except that an empty body is no body: several clients send the header by habit. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parse(request, String(body), done);
  });
}

async function registerHeaders(app: FastifyInstance, options: ServerOptions): Promise<void> {
  const secure = options.baseUrl.startsWith('https:');
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });
  const allowed = new Set(options.corsOrigins);
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && allowed.has(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'last-event-id', 'prefer'],
    exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
    maxAge: 600,
    strictPreflight: false,
  });
}
