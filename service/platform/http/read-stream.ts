import type { Readable } from 'node:stream';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';

/** A sender that needs longer for its body holds a connection, and memory, for nothing. */
export const BODY_TIMEOUT_MS = 30_000;
/** A body makes progress when a kilobyte of it arrives within this time, or its end. */
export const BODY_STALL_MS = 10_000;
const PROGRESS_BYTES = 1_024;
/** A person whose file is far too large still gets the answer that says so; a sender that goes on beyond it is cut. */
const DISCARDED_BYTES_MAX = 8 * LIMITS.bodyBytesMax;

export type StreamTimes = { timeoutMs?: number | undefined; stallMs?: number | undefined };

/**
 * The action after a chunk. `discard`: the rest is read and forgotten, so that the response reaches a sender that first writes everything;
 * `leave`: nothing more is read.
 */
export type Next = 'more' | 'discard' | 'leave';

/** How a stream ended: all of it was read; the reader wanted no more; it did not arrive in time; its sender went away. */
export type StreamEnd = 'whole' | 'enough' | 'late' | 'gone';

/**
 * Reads a stream in chunks until it ends, for whichever reason; with null for `onChunk` nothing of it is wanted. Rejects with what `onChunk`
 * throws, and discards the rest then. A sender that goes on after the end, too slowly, for too long or too much, loses its connection. Async
 * iteration would cost more than all the rest of reading a small body.
 */
export function readStream(
  stream: Readable,
  { timeoutMs = BODY_TIMEOUT_MS, stallMs = BODY_STALL_MS }: StreamTimes,
  onChunk: ((chunk: Buffer) => Next) | null,
): Promise<StreamEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<StreamEnd>();
  // Null once nothing more is wanted: the stream may stay open, and must not keep what its reader received, which no share counts any more.
  let reader = onChunk;
  let progress = 0;
  let discarded = 0;
  const settle = (end: StreamEnd): void => {
    reader = null;
    resolve(end);
  };
  const expire = (): void => {
    if (reader === null) stream.destroy();
    else settle('late');
  };
  const deadline = setTimeout(expire, timeoutMs).unref();
  let stall = setTimeout(expire, stallMs).unref();
  const stopTimers = (): void => {
    clearTimeout(deadline);
    clearTimeout(stall);
  };
  const discard = (bytes: number): void => {
    discarded += bytes;
    if (discarded > DISCARDED_BYTES_MAX) stream.destroy();
  };
  const onData = (chunk: Buffer): void => {
    progress += chunk.length;
    if (progress >= PROGRESS_BYTES) {
      progress = 0;
      clearTimeout(stall);
      stall = setTimeout(expire, stallMs).unref();
    }
    if (reader === null) return discard(chunk.length);
    try {
      const next = reader(chunk);
      if (next === 'more') return;
      settle('enough');
      if (next === 'leave') stream.off('data', onData).pause();
    } catch (refusal) {
      reader = null;
      reject(refusal);
    }
  };
  if (reader === null) settle('enough');
  stream.on('data', onData);
  stream.once('end', () => {
    stopTimers();
    settle('whole');
  });
  stream.once('error', () => settle('gone'));
  // It follows a complete stream too.
  stream.once('close', () => {
    stopTimers();
    settle(stream.readableEnded ? 'whole' : 'gone');
  });
  return promise;
}
