import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../refuse.ts';
import type { ByteRange, FileAnswer } from './answer.ts';

/** A caller who takes nothing for so long is disconnected. */
export const STALL_MS = 60_000;

/**
 * Sends a file, or the range of it that was asked for (RFC 9110, 13 and 14). The file is read as fast as the caller takes it, and no further
 * once they disconnect. Several ranges in one request, and malformed ones, are answered with the whole file.
 */
export function sendStoredFile(file: FileAnswer, request: FastifyRequest, reply: FastifyReply, stallMs: number = STALL_MS): FastifyReply {
  const etag = `"${file.etag}"`;
  void reply.headers({ ...file.headers, etag, 'accept-ranges': 'bytes' });
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const range = rangeOf(request, file.sizeBytes, etag);
  const length = range ? range.end - range.start + 1 : file.sizeBytes;
  void reply
    .type(file.contentType)
    .header('content-disposition', `${file.disposition}; ${filenameParameters(file.filename)}`)
    .header('content-length', String(length));
  if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  if (request.method === 'HEAD' || length === 0) return reply.send(Readable.from([]));
  const bytes = whileTaken(file.read(range), stallMs, () => reply.raw.destroy());
  // In bytes, of which one is enough: as a stream of objects it would read sixteen chunks ahead.
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 1 }));
}

/** Yields the chunks, and calls `onStall` when the next one is not taken in time. */
async function* whileTaken(chunks: AsyncIterable<Uint8Array>, stallMs: number, onStall: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const timer = setTimeout(onStall, stallMs).unref();
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** If-None-Match compares weakly: a proxy that compresses marks our tag as weak. */
function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** One range of bytes: from a place, to a place, or the last ones. */
const RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/** Returns the range to send; undefined for the whole file. Refuses `range_not_satisfiable`. */
function rangeOf({ headers }: FastifyRequest, sizeBytes: number, etag: string): ByteRange | undefined {
  if (headers.range === undefined) return undefined;
  // A caller that has part of other bytes gets all of these. We send no dates.
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined;
  // Malformed, of another unit, or several.
  const [, first = '', last = ''] = RANGE.exec(headers.range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start <= end) return { start, end };
  throw new AppError('range_not_satisfiable', {
    detail: `The file has ${sizeBytes} bytes.`,
    headers: { 'content-range': `bytes */${sizeBytes}` },
  });
}

/** The name in ASCII, and as it is (RFC 6266). */
function filenameParameters(filename: string): string {
  const ascii = filename.replace(/[^\w. -]/g, '_');
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === filename ? `filename="${ascii}"` : `filename="${ascii}"; filename*=UTF-8''${exact}`;
}
