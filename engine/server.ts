import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { EngineError, FrameworkError, invalidRequest } from './errors.ts';
import type { Log } from './log.ts';
import { messageOf } from './log.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Parses one part of a request, refusing like the recorded engine: `body/path message`. With `union` every failure is
 * the bare `body/ Invalid input`, except that of a step name.
 */
export function parsePart<T>(schema: z.ZodType<T>, part: 'body' | 'params' | 'querystring', value: unknown, union = false): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  if (union && path.at(-1) !== 'name') throw invalidRequest(`${part}/ Invalid input`);
  throw invalidRequest(`${part}/${path.join('/')} ${issue?.message ?? 'Invalid input'}`);
}

function frameworkBody(status: number, message: string, code?: string) {
  return { statusCode: status, ...(code === undefined ? {} : { code }), error: STATUS_CODES[status] ?? 'Error', message };
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof EngineError) return reply.code(error.status).send({ code: error.code, params: error.params });
  if (error instanceof FrameworkError) return reply.code(error.status).send(frameworkBody(error.status, error.message, error.code));
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status < 500) return reply.code(status).send(frameworkBody(status, error.message, 'code' in error ? error.code : undefined));
  log('error', 'request.failed', { method: request.method, route: request.routeOptions.url, message: messageOf(error) });
  // The recorded engine names internals here; a caller needs none of them.
  return reply.code(500).send(frameworkBody(500, 'Internal Server Error'));
}

/** Creates the HTTP server: error shapes, JSON rules and the unknown route; routes are added by `start.ts`. */
export function createServer(log: Log): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  });
  app.setErrorHandler((error: FastifyError | Error, request, reply) => sendError(error, request, reply, log));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(frameworkBody(404, 'Route not found')));
  return app;
}

/** Calls `done` once a response is over, at once when it is already: its caller may have gone away while the database was asked. */
export function whenOver({ raw }: FastifyReply, done: () => void): void {
  if (raw.closed) done();
  else raw.once('close', done);
}

/** Query parameters arrive once or several times; the protocol takes both for its lists. */
export const listParam = z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional();
export const limitParam = (fallback: number) => z.coerce.number().int().min(1).max(100).catch(fallback);
