import { FileGone, type FileStore, readWhole } from '#modules/1-ledger/files/index.ts';
import type { Database } from '#platform/db/tx.ts';
import { findLogo } from './store.ts';

/** Returns the small logo of an agency; null without one, and when it is removed at this moment. */
export async function readLogo({ db, files }: { db: Database; files: FileStore }, partnerId: string): Promise<Uint8Array | null> {
  const logo = await db.asSystem('files', (tx) => findLogo(tx, partnerId, 'small'));
  if (!logo) return null;
  try {
    return await readWhole(files, { ...logo, owner: { partnerId, clientId: null } });
  } catch (error) {
    if (error instanceof FileGone) return null;
    throw error;
  }
}
