import type { FileStore, StoredFile } from './file-store.ts';

/** Returns the bytes of a file that is known to be small. Not inside a transaction. */
export async function readWhole(files: FileStore, file: StoredFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(file)) chunks.push(chunk);
  return Buffer.concat(chunks, file.sizeBytes);
}
