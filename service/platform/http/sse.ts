import type { FastifyReply, FastifyRequest } from 'fastify';
import { hold } from '../held.ts';
import { AppError } from '../refuse.ts';

/** One event for the browser; `id` lets it resume after a lost connection. */
export type ServerEvent = { id: string; event: string; data: unknown };

/**
 * Source of a stream. `open` is called once per connection with the browser's `Last-Event-ID` (null on the first) and returns a function that
 * stops it. It sends missed events first, then new ones, and calls `end` when there is nothing more to send.
 */
export type EventSource = {
  open(send: (event: ServerEvent) => void, lastEventId: string | null, end?: () => void): Promise<() => void> | (() => void);
};

const HEARTBEAT_MS = 15_000;
/** A reader this far behind is disconnected; it reconnects and resumes by id. */
const BACKLOG_BYTES_MAX = 1024 * 1024;
/** Streams one user may keep open in this process: each costs a query per change. */
export const STREAMS_PER_USER_MAX = 20;
/** How long a reader may take to receive what was sent before its stream ended. */
const LINGER_MS = 2_000;

const openStreams = new Map<string, number>();

/** Counts the streams of a user until they are disposed of. Refuses `rate_limited` beyond the limit. */
function countStreams(userId: string, streams: number): Disposable {
  const open = openStreams.get(userId) ?? 0;
  if (open + streams > STREAMS_PER_USER_MAX) {
    throw new AppError('rate_limited', {
      detail: `${open} event streams are already open. Close some of them.`,
      retryAfterSeconds: 60,
      headers: { 'ratelimit-limit': String(STREAMS_PER_USER_MAX) },
    });
  }
  openStreams.set(userId, open + streams);
  return {
    [Symbol.dispose]() {
      const left = (openStreams.get(userId) ?? streams) - streams;
      if (left > 0) openStreams.set(userId, left);
      else openStreams.delete(userId);
    },
  };
}

/**
 * Sends `text/event-stream` until the reader disconnects or falls too far behind, or the session expires or is revoked (`assertValid`
 * rejects; called with every heartbeat). A comment line keeps proxies from closing an idle stream.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  source: EventSource,
  limits: {
    lifeMs: number | null;
    closing: AbortSignal;
    assertValid?: (() => Promise<void>) | null;
    heartbeatMs?: number;
    streams?: number;
    takePlace?: (end: () => void) => (() => void) | undefined;
  },
): Promise<void> {
  const header = request.headers['last-event-id'];
  const lastEventId = typeof header === 'string' && header ? header : null;
  const out = reply.raw;
  const { socket } = request.raw;
  // A reader that is gone emits no further 'close', so nothing would ever stop its stream.
  const hasLeft = out.destroyed || socket.destroyed;
  // Releases everything taken for the stream, however it ends.
  using held = new DisposableStack();
  if (!hasLeft && request.caller) held.use(countStreams(request.caller.userId, limits.streams ?? 1));
  if (!hasLeft) held.use(hold('streams', limits.streams ?? 1));
  reply.hijack();
  if (hasLeft) return;
  try {
    await sendStream();
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'event stream failed');
  }
  out.end();
  // A reader that receives nothing would otherwise keep the connection, and a stopping server, open.
  if (!socket.closed) {
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  }

  async function sendStream(): Promise<void> {
    using during = new DisposableStack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) out.setHeader(name, value);
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // Not reused: ending the stream may end the connection.
      connection: 'close',
    });
    out.write('retry: 2000\n\n');

    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    if (limits.takePlace) {
      const releasePlace = limits.takePlace(end);
      if (!releasePlace) return;
      during.defer(releasePlace);
    }
    const write = (text: string): void => {
      if (out.writableEnded || out.destroyed) return;
      out.write(text);
      if (out.writableLength > BACKLOG_BYTES_MAX) out.destroy();
    };
    out.on('close', end);
    limits.closing.addEventListener('abort', end);
    during.defer(() => limits.closing.removeEventListener('abort', end));
    if (limits.closing.aborted) end();
    const heartbeat = setInterval(() => {
      write(': still here\n\n');
      // A revoked session ends its streams; an unavailable database does not.
      limits.assertValid?.().catch((error: unknown) => {
        if (error instanceof AppError) end();
      });
    }, limits.heartbeatMs ?? HEARTBEAT_MS);
    during.defer(() => clearInterval(heartbeat));
    // setTimeout takes 32 bits: a longer lifetime ends earlier and the browser reconnects.
    const lifeMs = limits.lifeMs === null ? null : Math.min(Math.max(0, limits.lifeMs), 2 ** 31 - 1);
    const expiry = lifeMs === null ? undefined : setTimeout(end, lifeMs);
    during.defer(() => clearTimeout(expiry));
    during.defer(await source.open((event) => write(formatEvent(event)), lastEventId, end));
    await ended.promise;
  }
}

/** Returns an event in wire format. */
export function formatEvent(event: ServerEvent): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
