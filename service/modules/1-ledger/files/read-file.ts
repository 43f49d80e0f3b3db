import { type FilesDeps, inTurn } from './deps.ts';
import { type ByteRange, FileGone, type StoredFile } from './file-store.ts';
import { readChunk } from './store.ts';

/** Yields the bytes chunk by chunk, each read once the one before was taken. */
export async function* readFile(deps: FilesDeps, file: StoredFile, range?: ByteRange): AsyncGenerator<Buffer> {
  const { id, owner, sizeBytes, chunkBytes } = file;
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  if (start < 0 || end >= sizeBytes) throw new RangeError(`The file ${id} has no bytes ${start} to ${end}.`);
  for (let n = Math.floor(start / chunkBytes); n * chunkBytes <= end; n += 1) {
    const from = n * chunkBytes;
    const chunk = await inTurn(deps, owner, (tx) => readChunk(tx, id, n));
    if (chunk?.length !== Math.min(chunkBytes, sizeBytes - from)) throw new FileGone(id);
    yield chunk.subarray(Math.max(0, start - from), end - from + 1);
  }
}
