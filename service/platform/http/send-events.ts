import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StreamEvent } from './answer.ts';
import { describeProblem } from './errors.ts';

/** A reader this far behind is disconnected: it cannot resume. */
const BACKLOG_BYTES_MAX = 1024 * 1024;

/**
 * Sends events as they arrive and ends with the last one. When reading them throws, a last event `problem` has the body that an ordinary reply would
 * have had. A reader who leaves or falls too far behind ends the reading.
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<StreamEvent>,
  parse: (event: StreamEvent) => unknown,
): Promise<void> {
  const out = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) out.setHeader(name, value);
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  const write = (event: string, data: unknown): void => {
    out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (out.writableLength > BACKLOG_BYTES_MAX) out.destroy();
  };
  try {
    for await (const event of events) {
      if (out.destroyed) break;
      write(event.event, parse(event));
    }
  } catch (error) {
    if (!out.destroyed) write('problem', describeProblem(request.server.publicBaseUrl, error, request));
  } finally {
    out.end();
  }
}
