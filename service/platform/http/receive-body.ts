import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { AppError } from '../refuse.ts';
import type { BodyShare } from './body-budget.ts';
import { type RawBody, rawBody } from './raw-body.ts';

/** A sender that needs longer for its body holds a connection, and memory, for nothing. */
export const BODY_TIMEOUT_MS = 30_000;

/** `acceptsGzip`: the body may be compressed; both sizes are limited. */
export type BodyBounds = { bytesMax: number; timeoutMs?: number | undefined; acceptsGzip?: boolean };

/**
 * Receives a body and holds at most `bytesMax` of it, whatever its declared length. A longer one resolves as soon as that is known, empty:
 * reading it refuses `too_large`. Its rest is discarded as it arrives, so that the response reaches a sender that first writes everything.
 * Rejects with `request_timeout`, with `malformed_json` when the sender goes away, and with the refusal of its `share`, which counts bodies
 * over 16 KiB.
 */
export function receiveBody(stream: Readable, headers: IncomingHttpHeaders, bounds: BodyBounds, share?: BodyShare): Promise<RawBody> {
  const { promise, resolve, reject } = Promise.withResolvers<RawBody>();
  const { bytesMax, timeoutMs = BODY_TIMEOUT_MS, acceptsGzip = false } = bounds;
  const chunks: Buffer[] = [];
  let size = 0;
  let counted = 0;
  const discard = (): void => {
    chunks.length = 0;
    share?.release();
    stream.off('data', onData).resume();
  };
  const refuseLarge = (): void => {
    discard();
    resolve(rawBody({ bytes: Buffer.alloc(0), headers, bytesMax, isTooLarge: true, acceptsGzip }));
  };
  // Async iteration would cost more than all the rest of reading a small body.
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > bytesMax) return refuseLarge();
    chunks.push(chunk);
    if (share === undefined || size <= LIMITS.unprovenBodyBytesMax) return;
    try {
      share.take(size - counted);
      counted = size;
    } catch (refusal) {
      discard();
      reject(refusal);
    }
  };
  const deadline = setTimeout(() => {
    reject(new AppError('request_timeout', { detail: 'The body did not arrive in time.', headers: { connection: 'close' } }));
    // Already refused as too large, and still sending.
    if (size > bytesMax) stream.destroy();
  }, timeoutMs).unref();
  stream.once('end', () => {
    clearTimeout(deadline);
    share?.release();
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    resolve(rawBody({ bytes, headers, bytesMax, isTooLarge: false, acceptsGzip }));
  });
  stream.once('error', reject);
  stream.once('close', () => {
    // It follows a complete body too, and an error takes longer to make than all the rest.
    if (stream.readableEnded) return;
    clearTimeout(deadline);
    share?.release();
    reject(new AppError('malformed_json', { detail: 'The body ended before it was complete.' }));
  });
  size = Number(headers['content-length'] ?? 0);
  if (size > bytesMax) refuseLarge();
  else {
    size = 0;
    stream.on('data', onData);
  }
  return promise;
}
