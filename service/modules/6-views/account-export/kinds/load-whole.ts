import type { TenantTx } from '#platform/db/tx.ts';
import { FileGone, type FileStore } from '#modules/1-ledger/files/index.ts';

/** Media and documents have few megabytes. A file is removed at once when its media is, also during an export. */
export async function loadWhole(tx: TenantTx, files: FileStore, fileId: string): Promise<Buffer | null> {
  const file = await files.find(tx, fileId);
  if (!file) return null;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of files.read(file)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof FileGone) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}
