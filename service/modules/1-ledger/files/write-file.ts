import { createHash } from 'node:crypto';
import type { FilePurpose } from '@partner-portal/contract/vocabulary.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { inTurn, type FilesDeps } from './deps.ts';
import { FILE_BYTES_MAX, type FileOwner, FileTooLarge, type StoredFile } from './file-store.ts';
import { inChunks } from './in-chunks.ts';
import { completeFile, deleteFiles, insertChunk, insertFile, insertSmallFile, type NewFile } from './store.ts';

/** Stores the bytes chunk by chunk; one chunk is in memory while the next one fills. Refuses `not_found` when the account was deleted. */
export async function writeFile(
  deps: FilesDeps,
  owner: FileOwner,
  { purpose, contentType }: { purpose: FilePurpose; contentType: string },
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<StoredFile> {
  const file: NewFile = { id: newId(), owner, purpose, contentType, chunkBytes: deps.chunkBytes };
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let chunks = 0;
  /** Held back until it is known whether another chunk follows: a file of one chunk is one statement. */
  let held: Buffer | undefined;
  const put = async (chunk: Buffer): Promise<void> => {
    if (chunks === 0 && !(await inTurn(deps, owner, (tx) => insertFile(tx, file)))) refuse('not_found');
    await inTurn(deps, owner, (tx) => insertChunk(tx, file, chunks, chunk));
    chunks += 1;
  };
  try {
    for await (const chunk of inChunks(bytes, deps.chunkBytes, signal)) {
      sizeBytes += chunk.length;
      if (sizeBytes > FILE_BYTES_MAX[purpose]) throw new FileTooLarge(FILE_BYTES_MAX[purpose]);
      hash.update(chunk);
      if (held) await put(held);
      held = chunk;
    }
    const sha256 = hash.digest();
    if (chunks === 0) {
      if (!(await inTurn(deps, owner, (tx) => insertSmallFile(tx, file, held ?? Buffer.alloc(0), sha256)))) refuse('not_found');
    } else {
      if (held) await put(held);
      const isComplete = await inTurn(deps, owner, (tx) => completeFile(tx, file.id, sizeBytes, sha256));
      if (!isComplete) throw new Error(`The file ${file.id} was removed while it was written.`);
    }
    return { id: file.id, owner, contentType, sizeBytes, sha256, chunkBytes: file.chunkBytes };
  } catch (error) {
    // The sweep removes files that this does not.
    if (chunks > 0) await inTurn(deps, owner, (tx) => deleteFiles(tx, [file.id])).catch(() => undefined);
    throw error;
  }
}
