import { Readable } from 'node:stream';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/tx.ts';
import {
  Answer,
  type CsvAnswer,
  type EventsAnswer,
  type FileAnswer,
  isStreamAnswer,
  type LinesAnswer,
  type NdjsonAnswer,
  type PdfAnswer,
  type StreamEvent,
} from './answer.ts';
import { csvChunks } from './csv.ts';
import { fieldErrors } from '@partner-portal/contract/field-errors.ts';
import type { TurnRequest } from '../fair-turns.ts';
import type { ExportTurns } from './export-turns.ts';
import { networkOf } from './network.ts';
import { sendEvents } from './send-events.ts';
import { sendStoredFile } from './send-file.ts';
import { streamEvents } from './sse.ts';

/** Sends a handler's result in the route's format. */
export async function sendResult(
  route: RouteShape,
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | null,
  deps: { clock: Clock; closing: AbortSignal; exportTurns: ExportTurns; assertSession?: Database['assertSession'] },
): Promise<unknown> {
  const inTurns = <T>(pages: AsyncIterable<T>): AsyncIterable<T> =>
    deps.exportTurns.read(exporterOf(actor, request), pages, () => reply.raw.destroyed);
  if (route.streams && isStreamAnswer(result)) {
    const { streams } = route;
    const parse = ({ event, data }: StreamEvent): unknown => {
      const schema = streams.events[event];
      if (!schema) throw new Error(`${route.method} ${route.path} sent the event "${event}", which it does not declare.`);
      return parseReply(route, schema, data);
    };
    await sendEvents(request, reply, result.events, parse);
    return reply;
  }
  const { format = 'json' } = route;
  switch (format) {
    case 'events': {
      const { source, streams = 1, takePlace, ...given } = result as EventsAnswer; // typed by the route's format, as all below
      const lifeMs = actor ? actor.expiresAt.getTime() - deps.clock.now().getTime() : null;
      const { assertSession } = deps;
      const assertValid = given.assertValid ?? (actor && assertSession ? () => assertSession(actor) : null);
      await streamEvents(request, reply, source, {
        lifeMs,
        closing: deps.closing,
        assertValid,
        streams,
        ...(takePlace ? { takePlace } : {}),
      });
      return reply;
    }
    case 'lines':
      // A proxy that collects the response would hold the lines back.
      return reply
        .header('x-accel-buffering', 'no')
        .type('application/x-ndjson; charset=utf-8')
        .send(Readable.from((result as LinesAnswer).lines));
    case 'csv': {
      const csv = result as CsvAnswer;
      return sendFile(reply, csv.filename, 'text/csv; charset=utf-8', csvChunks({ ...csv, pages: inTurns(csv.pages) }));
    }
    case 'ndjson': {
      const { filename, pages } = result as NdjsonAnswer;
      const schema = route.reply[defaultStatus(route)];
      if (!schema) throw new Error(`${route.method} ${route.path} does not declare the schema of a line.`);
      return sendFile(reply, filename, 'application/x-ndjson; charset=utf-8', jsonLines(route, schema, inTurns(pages)));
    }
    case 'pdf': {
      const { filename, content } = result as PdfAnswer;
      return asFile(reply, filename, 'application/pdf').send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
    }
    case 'file':
      return sendStoredFile(result as FileAnswer, request, reply);
    case 'xml':
      return reply.type('application/xml; charset=utf-8').send(result);
    case 'redirect':
    case 'json': {
      const { status, headers, text } = renderReply(route, result);
      void reply.headers(headers).code(status);
      return text === null ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
    }
  }
}

/** Returns the tenant, else the network, in whose turns an export reads its pages. */
export function exporterOf(actor: Actor | null, request: FastifyRequest): TurnRequest {
  return actor ? { key: actor.partnerId, part: actor.userId } : { key: networkOf(request.ip) };
}

function sendFile(reply: FastifyReply, filename: string, type: string, chunks: AsyncIterable<string>): FastifyReply {
  return asFile(reply, filename, type).send(Readable.from(chunks));
}

function asFile(reply: FastifyReply, filename: string, type: string): FastifyReply {
  const safe = filename.replace(/[^\w.-]/g, '_');
  return reply.header('content-disposition', `attachment; filename="${safe}"`).type(type);
}

/** Each row parsed by the route's reply schema, joined into chunks of some kilobytes. */
async function* jsonLines(route: RouteShape, schema: z.ZodType, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let chunk = '';
  for await (const rows of pages) {
    for (const row of rows) {
      chunk += `${JSON.stringify(parseReply(route, schema, row))}\n`;
      if (chunk.length < 16_384) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}

/** Returns the response, parsed by the route's reply schema; no text for a 204. */
export function renderReply(
  route: RouteShape,
  result: unknown,
): { status: number; headers: Readonly<Record<string, string>>; text: string | null } {
  const { status, headers, body } = result instanceof Answer ? result : { status: defaultStatus(route), headers: {}, body: result };
  const schema = route.reply[status];
  if (!schema) throw new Error(`${route.method} ${route.path} returned ${status}, which it does not declare.`);
  if (status === 204 || route.format === 'redirect') return { status, headers, text: null };
  return { status, headers, text: JSON.stringify(parseReply(route, schema, body)) };
}

function parseReply(route: RouteShape, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(toWire(value));
  if (parsed.success) return parsed.data;
  throw new Error(`${route.method} ${route.path} violated its reply schema: ${JSON.stringify(fieldErrors(parsed.error).slice(0, 5))}`);
}

function defaultStatus(route: RouteShape): number {
  return Math.min(...Object.keys(route.reply).map(Number));
}

/** Converts dates to ISO texts; what holds none is not copied. The reply schema then removes members the contract does not declare. */
function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (const [at, item] of value.entries()) {
      const sent = toWire(item);
      if (sent !== item) (items ??= value.slice())[at] = sent;
    }
    return items ?? value;
  }
  const members = value as Record<string, unknown>; // an object
  let plain: Record<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const sent = toWire(members[name]);
    if (sent !== members[name]) (plain ??= { ...members })[name] = sent;
  }
  return plain ?? members;
}
