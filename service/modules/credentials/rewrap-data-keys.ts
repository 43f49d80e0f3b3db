import type { Database } from '#platform/db/tx.ts';
import { type Sealing, VaultFault } from './sealing.ts';
import { claimOldDataKeys, countOldDataKeys, replaceDataKeys, type SealedDataKey } from './store.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

export type RewrapProgress = { done: number; total: number };
export type RewrapResult = { rewrapped: number; failed: string[] };

/**
 * Seals every agency's data key with the newest master key. Values are not touched, so this is one small row per agency.
 * Each batch commits on its own: kill it and start it again, or run two at once, and the rest is done. Reads go on
 * meanwhile, because a row names the master key that sealed it and the ring holds both. Rows whose master key is not in
 * the ring are listed in `failed` (partner ids) and left as they are.
 */
export async function rewrapDataKeys(
  deps: { db: Database; sealing: Sealing },
  options: { batch?: number; signal?: AbortSignal; onProgress?: (progress: RewrapProgress) => void } = {},
): Promise<RewrapResult> {
  const { newestKeyId } = deps.sealing;
  const total = await deps.db.asSystem('rewrap', (tx) => countOldDataKeys(tx, newestKeyId));
  const result: RewrapResult = { rewrapped: 0, failed: [] };
  let afterId = NIL;
  while (!options.signal?.aborted) {
    const claimed = await deps.db.asSystem('rewrap', async (tx) => {
      const keys = await claimOldDataKeys(tx, newestKeyId, afterId, options.batch ?? 100);
      const fresh = keys.flatMap((key) => rewrapOne(deps.sealing, key, result.failed));
      if (fresh.length > 0) await replaceDataKeys(tx, fresh);
      return { last: keys.at(-1)?.id, count: fresh.length };
    });
    if (claimed.last === undefined) break;
    afterId = claimed.last;
    result.rewrapped += claimed.count;
    options.onProgress?.({ done: result.rewrapped, total });
  }
  return result;
}

function rewrapOne(sealing: Sealing, key: SealedDataKey, failed: string[]): SealedDataKey[] {
  try {
    return [sealing.rewrap(key)];
  } catch (error) {
    if (!(error instanceof VaultFault)) throw error;
    failed.push(key.partnerId);
    return [];
  }
}
