import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { Actor } from '@partner-portal/service/platform/actor.ts';
import { bindRoutes } from '@partner-portal/service/platform/http/bind-route.ts';
import type { Handlers, RequestContext } from '@partner-portal/service/platform/http/context.ts';
import type { OwnHost } from '@partner-portal/service/platform/http/own-host.ts';
import { createRateLimits, type RateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import type { SessionClaims } from '@partner-portal/service/platform/http/session.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { AppError } from '@partner-portal/service/platform/refuse.ts';
import { type LimitName, rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createBareServer, listenLocally } from './bare-server.ts';

/** A route of a test, and what it does. Its input is what the route's schemas made of it. */
export type SmallRoute = {
  route: RouteShape;
  handler: (input: { params: Record<string, string>; query: Record<string, unknown>; body: unknown }, context: RequestContext) => unknown;
};

export type SmallCall = {
  method?: 'GET' | 'POST';
  /** Claims of the session; those of a separate person when left out. */
  claims?: Partial<SessionClaims>;
  body?: unknown;
  headers?: Record<string, string>;
};
export type SmallResponse = {
  status: number;
  headers: IncomingMessage['headers'];
  /** The decoded body as it arrives. */
  body: Readable;
  /** The rest of it. */
  text(): Promise<string>;
  json(): Promise<Record<string, unknown>>;
  /** Each line as it arrives. */
  lines(): AsyncIterator<string, undefined>;
  /** Leaves; resolves when the server has noticed. */
  leave(): Promise<void>;
};

export type SmallApi = {
  call(path: string, options?: SmallCall): Promise<SmallResponse>;
  /** The state of all sessions; tests change it. */
  sessions: { areRevoked: boolean; areSuspended: boolean };
  /** Number of session checks. */
  checks(): number;
  limits: RateLimits<LimitName>;
  log: Record<string, unknown>[];
  /** Ends event streams, as a stopping server does. */
  endStreams(): void;
  close(): Promise<void>;
};

/** A person with rate limits of their own. */
export function newPerson(): SessionClaims {
  return {
    userId: newId(),
    email: 'ann@acme.test',
    role: 'PARTNER',
    partnerId: newId(),
    partnerRole: 'admin',
    authMethod: 'password',
  };
}

/** The platform's server on a real port with a table of a few routes, without a database. */
export async function startSmallApi(
  table: Record<string, SmallRoute | RouteShape>,
  { findOwnHost }: { findOwnHost?: (host: string) => OwnHost | null } = {},
): Promise<SmallApi> {
  const lines: Record<string, unknown>[] = [];
  // JSON lines are what the log is made of.
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const limits = createRateLimits(rateLimitWindows());
  const { app, deps: bare } = await createBareServer({ log, limits, portalDir: '/nonexistent', ...(findOwnHost ? { findOwnHost } : {}) });
  const sessions = { areRevoked: false, areSuspended: false };
  const asserted = new WeakSet<Actor>();
  let checks = 0;
  const assertSession = async (actor: Actor): Promise<void> => {
    checks += 1;
    asserted.add(actor);
    if (sessions.areRevoked) throw new AppError('unauthenticated');
    if (sessions.areSuspended && !actor.whileSuspended) throw new AppError('account_suspended');
  };
  const closing = new AbortController();
  const deps = { ...bare, assertSession, wasAsserted: (actor: Actor) => asserted.has(actor), closing: closing.signal };
  const given = Object.entries(table);
  const routes = Object.fromEntries(given.map(([name, one]) => [name, 'handler' in one ? one.route : one]));
  const handlers = Object.fromEntries(given.flatMap(([name, one]) => ('handler' in one ? [[name, one.handler]] : [])));
  bindRoutes(app, deps, routes, handlers as Partial<Handlers>); // the table's own routes, which the contract does not contain
  const port = await listenLocally(app);
  return {
    sessions,
    checks: () => checks,
    limits,
    log: lines,
    endStreams: () => closing.abort(),
    async call(path, { method = 'GET', claims, body, headers = {} } = {}) {
      const { accessToken } = bare.sessions.issue({ ...newPerson(), ...claims });
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const sent = request({
        port,
        host: '127.0.0.1',
        path,
        method,
        headers: { authorization: `Bearer ${accessToken}`, ...(payload ? { 'content-type': 'application/json' } : {}), ...headers },
      });
      // A caller that disconnects ends the request with an error.
      sent.on('error', () => undefined);
      const served = once(app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.end(payload);
      const [[, server], [response]] = await Promise.all([served, answered]);
      const decoded = decode(response);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: decoded,
        text: () => readText(decoded),
        json: async () => JSON.parse(await readText(decoded)) as Record<string, unknown>, // the body of a route or a problem
        lines: () => createInterface({ input: decoded })[Symbol.asyncIterator]() as AsyncIterator<string, undefined>,
        async leave() {
          const gone = server.closed ? undefined : once(server, 'close');
          sent.destroy();
          await gone;
        },
      };
    },
    async close() {
      closing.abort();
      await app.close();
    },
  };
}

function decode(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding'];
  if (coding === undefined) return response;
  const decoder = coding === 'br' ? createBrotliDecompress() : createGunzip();
  // The callback ignores the error of a reader that disconnects before the end.
  return pipeline(response, decoder, () => undefined);
}
