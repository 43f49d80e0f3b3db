import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { newId } from '../ids.ts';
import { type RawBody, readRawBody } from './raw-body.ts';

/** A call that came through the door, in the terms a handler's context is made of. */
export type DoorCall = {
  id: string;
  ip: string;
  headers: IncomingMessage['headers'];
  params: Record<string, string>;
  query: Record<string, string>;
  rawBody: RawBody;
  raw: ServerResponse;
};
export type DoorReply = { status: number; headers: Readonly<Record<string, string>>; text: string };
export type DoorLine = { requestId: string; path: string; route: string; status: number; ms: number; address: string };

export type DoorOptions = {
  /** Whether X-Forwarded-For decides about the address; what carries one then goes the long way. */
  trustsProxies: boolean;
  /** The one log line of a request. */
  tell: (line: DoorLine) => void;
};

export type EventDoor = {
  /** Opens the door for one POST route `/…/:param?token=`. `answer` gives the reply of a good call and throws for any other. */
  open(path: string, answer: (call: DoorCall) => Promise<DoorReply>): void;
  /** Sends everything the long way from now on: the framework knows how to refuse while it closes. */
  shut(): void;
  /** What the door found out about a call it has handed to the framework. */
  handed(request: IncomingMessage): Handed | undefined;
  /** The server that asks the door first. */
  serve(framework: RequestListener, times: { keepAliveTimeout: number; requestTimeout: number }): Server;
};

type Handed = { id: string; error: unknown; beganAt: number };
type Opened = { path: string; name: string; pattern: RegExp; answer: (call: DoorCall) => Promise<DoorReply> };

const PLAIN_BODY = /^application\/(?:json|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i;

/**
 * A short way for the one request that comes by the thousand: an event posted to an ingest URL. The framework's hooks, router
 * and reply cost several times what the event itself does. The door takes only calls without anything particular about them, gives
 * them to the route's own handler, and writes the answer of a good one. Whatever it does not take, and every refusal, is answered by
 * the framework, so that each answer looks the same whichever way it went; event-door.test.ts holds both against each other.
 */
export function createEventDoor(options: DoorOptions): EventDoor {
  const handed = new WeakMap<IncomingMessage, Handed>();
  let opened: Opened | undefined;

  const pass = (
    framework: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
    one: Opened,
    found: RegExpExecArray,
  ): void => {
    const beganAt = performance.now();
    const id = newId();
    const ip = request.socket.remoteAddress ?? '';
    const param = found[1] ?? '';
    readRawBody(request, request.headers['content-type'] ?? '', LIMITS.bodyBytesMax)
      .then((rawBody) =>
        one.answer({
          id,
          ip,
          headers: request.headers,
          params: { [one.name]: param },
          query: { token: found[2] ?? '' },
          rawBody,
          raw: response,
        }),
      )
      .then(
        (reply) => {
          writeReply(response, id, reply);
          const ms = Math.round((performance.now() - beganAt) * 10) / 10;
          options.tell({
            requestId: id,
            path: `${one.path.slice(0, -one.name.length - 1)}${param}`,
            route: one.path,
            status: reply.status,
            ms,
            address: ip,
          });
        },
        (error: unknown) => {
          handed.set(request, { id, error, beganAt });
          framework(request, response);
        },
      );
  };
  return {
    open(path, answer) {
      const name = /:(\w+)$/.exec(path)?.[1] ?? '';
      opened = { path, name, answer, pattern: new RegExp(`^${path.slice(0, -name.length - 1)}([\\w-]{1,64})\\?token=(\\w{1,256})$`) };
    },
    shut: () => (opened = undefined),
    handed: (request) => handed.get(request),
    serve(framework, times) {
      const server = createServer((request, response) => {
        const found = opened && isPlain(request, options.trustsProxies) ? opened.pattern.exec(request.url ?? '') : null;
        if (opened && found) pass(framework, request, response, opened, found);
        else framework(request, response);
      });
      server.keepAliveTimeout = times.keepAliveTimeout;
      server.requestTimeout = times.requestTimeout;
      return server;
    },
  };
}

/** Whether there is nothing about a request that only the framework looks at: origins, encodings, proxies, odd or missing bodies. */
function isPlain({ method, headers }: IncomingMessage, trustsProxies: boolean): boolean {
  if (method !== 'POST' || headers.origin !== undefined || headers['content-encoding'] !== undefined) return false;
  if (trustsProxies && headers['x-forwarded-for'] !== undefined) return false;
  const length = Number(headers['content-length']);
  return length > 0 && length <= LIMITS.bodyBytesMax && PLAIN_BODY.test(headers['content-type'] ?? '');
}

/** The headers of the framework's answer, in its order. */
function writeReply(response: ServerResponse, id: string, reply: DoorReply): void {
  response.writeHead(reply.status, {
    'x-request-id': id,
    vary: 'Origin',
    ...reply.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(reply.text),
  });
  response.end(reply.text);
}
