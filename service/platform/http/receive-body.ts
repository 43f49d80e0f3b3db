import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { AppError } from '../refuse.ts';
import type { BodyShare } from './body-budget.ts';
import { type RawBody, rawBody } from './raw-body.ts';
import { createFileFilter } from './skip-files.ts';
import { type Next, readStream, type StreamTimes } from './read-stream.ts';

/** `acceptsGzip`: the body may be compressed; both sizes are limited. `bytesWithFilesMax`: of a form in parts, whose files are left out as it arrives. */
export type BodyBounds = StreamTimes & { bytesMax: number; acceptsGzip?: boolean; bytesWithFilesMax?: number | undefined };

/**
 * Decides about a body that turns out to be longer than 16 KiB, by what arrived of it: returns what counts it, or null when its sender has not
 * proved what the rest would be read for.
 */
export type Admit = (start: Buffer) => BodyShare | null;

/**
 * Receives a body and holds at most `bytesMax` of it, regardless of its declared length. A longer body resolves as soon as that is known, empty:
 * reading it refuses `too_large`. A body that is not admitted resolves cut, with its first bytes: nothing more of it is read, and reading it
 * refuses `too_large` too. Rejects with `request_timeout`, with `malformed_json` when the sender goes away, and with the refusal of its share.
 */
export async function receiveBody(stream: Readable, headers: IncomingHttpHeaders, bounds: BodyBounds, admit?: Admit): Promise<RawBody> {
  const { bytesMax, acceptsGzip = false, bytesWithFilesMax } = bounds;
  const filter = bytesWithFilesMax === undefined ? null : createFileFilter(headers);
  const receivedMax = filter === null || bytesWithFilesMax === undefined ? bytesMax : bytesWithFilesMax;
  const chunks: Buffer[] = [];
  let received = 0;
  let size = 0;
  let isCut = false;
  // Held until the body has ended, for whichever reason, and no longer: what is made of it is bounded by its route.
  using held = new DisposableStack();
  let share: BodyShare | undefined;
  const isWanted = Number(headers['content-length'] ?? 0) <= receivedMax;
  const onChunk = (chunk: Buffer): Next => {
    received += chunk.length;
    const kept = filter?.push(chunk) ?? chunk;
    size += kept.length;
    if (size > bytesMax || received > receivedMax) return 'discard';
    if (kept.length > 0) chunks.push(kept);
    if (admit === undefined || received <= LIMITS.unprovenBodyBytesMax) return 'more';
    if (share) {
      share.take(kept.length);
      return 'more';
    }
    const start = Buffer.concat(chunks).subarray(0, LIMITS.unprovenBodyBytesMax);
    const admitted = admit(start);
    isCut = admitted === null;
    if (admitted === null) {
      chunks.splice(0, chunks.length, start);
      return 'leave';
    }
    share = held.use(admitted);
    share.take(size);
    return 'more';
  };
  const bodyOf = (isTooLarge: boolean): RawBody => {
    const bytes = isTooLarge && !isCut ? Buffer.alloc(0) : chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    return rawBody({ bytes, headers, bytesMax: isCut ? LIMITS.unprovenBodyBytesMax : bytesMax, isTooLarge, isCut, acceptsGzip });
  };
  const end = await readStream(stream, bounds, isWanted ? onChunk : null);
  if (end === 'late')
    throw new AppError('request_timeout', { detail: 'The body did not arrive in time.', headers: { connection: 'close' } });
  if (end === 'gone') throw new AppError('malformed_json', { detail: 'The body ended before it was complete.' });
  if (filter !== null && end === 'whole') chunks.push(filter.end());
  return bodyOf(end === 'enough');
}
