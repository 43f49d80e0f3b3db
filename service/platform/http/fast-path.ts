import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../ids.ts';
import { pathOf } from './errors.ts';
import type { RawBody } from './raw-body.ts';
import { type Admit, type BodyBounds, receiveBody } from './receive-body.ts';

/** Request on the fast path, as far as a handler's context needs it. */
export type FastRequest = {
  id: string;
  ip: string;
  headers: IncomingMessage['headers'];
  params: Record<string, string>;
  query: Record<string, string>;
  rawBody: RawBody;
  raw: ServerResponse;
};
export type FastReply = { status: number; headers: Readonly<Record<string, string>>; text: string };
export type RequestLine = { requestId: string; method: string; path: string; route: string; status: number; ms: number; address: string };

export type FastPathOptions = {
  /** Whether X-Forwarded-For decides the address; requests with one then take the fallback. */
  trustsProxies: boolean;
  /** Writes the one log line of a request. */
  log: (line: RequestLine) => void;
};

/** A route `/…/:param` whose URL has exactly one query parameter, `query`, the bounds of its body, and who may send a large one. */
export type FastRoute = {
  method: string;
  path: string;
  query: string;
  bounds: BodyBounds;
  admit?: (call: { param: string; query: string }) => Admit;
};

export type FastPath = {
  /** Adds the route. `handle` resolves to the reply of a successful request and throws for any other. */
  add(route: FastRoute, handle: (request: FastRequest) => Promise<FastReply>): void;
  /** Sends every further request to the fallback: the framework knows how to refuse while it closes. */
  close(): void;
  /** Returns what is known of a request that was passed to the fallback. */
  passedOn(request: IncomingMessage): PassedOn | undefined;
  /** Creates the server. `fallback` is the framework. */
  serve(fallback: RequestListener, times: { keepAliveTimeout: number; requestTimeout: number; stallTimeout: number }): Server;
};

/** `isCut`: the rest of its body is not read. */
type PassedOn = { id: string; error: unknown; startedAt: number; isCut: boolean };
type Added = FastRoute & { param: string; pattern: RegExp; handle: (request: FastRequest) => Promise<FastReply> };

const PLAIN_BODY = /^application\/(?:json|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i;

/**
 * Creates a fast path for routes with very many requests: the framework's hooks, router and reply cost several times what such a request
 * does itself. It takes only plain requests, calls the route's own handler and writes successful replies. All other requests, and every
 * refusal, fall back to the framework. Both ways must respond with the same bytes; a test of each route compares them.
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const passed = new WeakMap<IncomingMessage, PassedOn>();
  let routes: Added[] = [];

  const run = (
    route: Added,
    match: RegExpExecArray,
    fallback: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    const startedAt = performance.now();
    const id = newId();
    const ip = request.socket.remoteAddress ?? '';
    const [, param = '', query = ''] = match;
    let isCut = false;
    receiveBody(request, request.headers, route.bounds, route.admit?.({ param, query }))
      .then((rawBody) => {
        isCut = rawBody.isCut;
        const values = { params: { [route.param]: param }, query: { [route.query]: query } };
        return route.handle({ id, ip, headers: request.headers, ...values, rawBody, raw: response });
      })
      .then(
        (reply) => {
          writeReply(response, id, reply);
          const ms = Math.round((performance.now() - startedAt) * 10) / 10;
          const { method, path } = route;
          options.log({ requestId: id, method, path: pathOf(request.url ?? ''), route: path, status: reply.status, ms, address: ip });
        },
        (error: unknown) => {
          passed.set(request, { id, error, startedAt, isCut });
          fallback(request, response);
        },
      );
  };
  return {
    add(route, handle) {
      const param = /:(\w+)$/.exec(route.path)?.[1] ?? '';
      const prefix = route.path.slice(0, -param.length - 1);
      routes.push({ ...route, param, handle, pattern: new RegExp(`^${prefix}([\\w-]{1,64})\\?${route.query}=(\\w{1,256})$`) });
    },
    close() {
      routes = [];
    },
    passedOn: (request) => passed.get(request),
    serve(fallback, times) {
      const server = createServer((request, response) => {
        response.on('timeout', endStalled);
        if (routes.length > 0 && isPlain(request, options.trustsProxies)) {
          for (const route of routes) {
            const match = request.method === route.method ? route.pattern.exec(request.url ?? '') : null;
            if (match) return run(route, match, fallback, request, response);
          }
        }
        fallback(request, response);
      });
      server.keepAliveTimeout = times.keepAliveTimeout;
      server.requestTimeout = times.requestTimeout;
      server.timeout = times.stallTimeout;
      return server;
    },
  };
}

/** Ends a connection whose peer takes nothing of a reply, which waits in memory. One that waits for its reply goes on. */
function endStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** Whether a request needs nothing only the framework handles: origins, encodings, proxies, unusual or missing bodies. */
function isPlain({ headers }: IncomingMessage, trustsProxies: boolean): boolean {
  if (headers.origin !== undefined || headers['content-encoding'] !== undefined) return false;
  if (trustsProxies && headers['x-forwarded-for'] !== undefined) return false;
  return Number(headers['content-length']) > 0 && PLAIN_BODY.test(headers['content-type'] ?? '');
}

/** Writes the headers of the framework's response, in its order. */
function writeReply(response: ServerResponse, id: string, reply: FastReply): void {
  response.writeHead(reply.status, {
    'x-request-id': id,
    vary: 'Origin',
    ...reply.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(reply.text),
  });
  response.end(reply.text);
}
