import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../refuse.ts';

/** One event for the browser; `id` lets it resume after a lost connection. */
export type ServerEvent = { id: string; event: string; data: unknown };

/**
 * Where events come from. `open` is called once per connection with the `Last-Event-ID` the browser sent (null on the
 * first) and returns how to stop. It sends what was missed first, then news as they come.
 */
export type EventSource = {
  open(send: (event: ServerEvent) => void, lastEventId: string | null): Promise<() => void> | (() => void);
};

const HEARTBEAT_MS = 15_000;
/** A reader this far behind is cut off; it reconnects and resumes by id. */
const BACKLOG_BYTES_MAX = 1024 * 1024;
/** Streams one person may keep open in this process: each costs a query per change, and a script would open thousands. */
export const STREAMS_PER_USER_MAX = 20;
/** How long a reader may take for what was sent before its stream ended. */
const LINGER_MS = 2_000;

const openStreams = new Map<string, number>();

/** Counts a stream in; answers how to count it out. Refuses `rate_limited` for one too many. */
function countStream(userId: string): () => void {
  const open = openStreams.get(userId) ?? 0;
  if (open >= STREAMS_PER_USER_MAX) {
    throw new AppError('rate_limited', { detail: `You follow ${open} pages live already. Close some of them.`, retryAfterSeconds: 60 });
  }
  openStreams.set(userId, open + 1);
  return () => {
    const left = (openStreams.get(userId) ?? 1) - 1;
    if (left > 0) openStreams.set(userId, left);
    else openStreams.delete(userId);
  };
}

/**
 * Answers with `text/event-stream` until the reader leaves or falls too far behind, or the session expires or is ended
 * (`stands` rejects; asked with every heartbeat).
 * Each event carries its id; a comment line keeps proxies from closing a quiet stream.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  source: EventSource,
  limits: { lifeMs: number | null; closing: AbortSignal; stands?: (() => Promise<void>) | null; heartbeatMs?: number },
): Promise<void> {
  const header = request.headers['last-event-id'];
  const lastEventId = typeof header === 'string' && header ? header : null;
  const out = reply.raw;
  const { socket } = request.raw;
  // A reader that left meanwhile has had its 'close': nothing would ever stop a stream opened for it.
  const hasLeft = out.destroyed || socket.destroyed;
  const countOut = hasLeft || !request.caller ? undefined : countStream(request.caller.userId);
  reply.hijack();
  if (hasLeft) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) out.setHeader(name, value);
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    // The connection is the stream's own, so that ending the one may end the other.
    connection: 'close',
  });
  out.write('retry: 2000\n\n');

  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  const write = (text: string): void => {
    if (out.writableEnded || out.destroyed) return;
    out.write(text);
    if (out.writableLength > BACKLOG_BYTES_MAX) out.destroy();
  };
  out.on('close', end);
  limits.closing.addEventListener('abort', end);
  const heartbeat = setInterval(() => {
    write(': still here\n\n');
    // A session that was ended elsewhere ends its streams here; a database that is away says nothing about it.
    limits.stands?.().catch((error: unknown) => {
      if (error instanceof AppError) end();
    });
  }, limits.heartbeatMs ?? HEARTBEAT_MS);
  // setTimeout counts in 32 bits: a longer life simply ends earlier and the browser reconnects.
  const lifeMs = limits.lifeMs === null ? null : Math.min(Math.max(0, limits.lifeMs), 2 ** 31 - 1);
  const expiry = lifeMs === null ? undefined : setTimeout(end, lifeMs);
  try {
    const stop = await source.open((event) => write(formatEvent(event)), lastEventId);
    await ended.promise;
    stop();
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'event stream failed');
  } finally {
    countOut?.();
    clearInterval(heartbeat);
    clearTimeout(expiry);
    limits.closing.removeEventListener('abort', end);
    out.end();
    // Whoever takes nothing would keep the connection, and a server that wants to stop, for as long as it likes.
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  }
}

/** The wire form of one event. */
export function formatEvent(event: ServerEvent): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
