/**
 * Yields the bytes in chunks of `chunkBytes`, the last one shorter. `signal` ends it at once, also while the source gives nothing; the source
 * is then closed.
 */
export async function* inChunks(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  chunkBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  const pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const onAbort = (): void => reject(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let chunk = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await Promise.race([aborted, pieces.next()]);
      if (done) break;
      for (let from = 0; from < value.length;) {
        const piece = value.subarray(from, from + chunkBytes - filled);
        chunk.set(piece, filled);
        filled += piece.length;
        from += piece.length;
        if (filled < chunkBytes) continue;
        yield chunk;
        // The one that was yielded may still be on its way to the database.
        chunk = Buffer.allocUnsafe(chunkBytes);
        filled = 0;
      }
    }
    isDone = true;
    if (filled > 0) yield chunk.subarray(0, filled);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs would hold up the one who ended it.
    if (!isDone) void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}
