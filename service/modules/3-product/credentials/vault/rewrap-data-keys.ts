import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Sealing } from './sealing.ts';
import { claimOldDataKeys, countOldDataKeys, replaceDataKeys } from '../store.ts';

/**
 * Seals every partner's data key with the newest master key (see `rewrapRows`). Values are not touched, so this changes one small row per
 * partner. `failed` lists partner ids.
 */
export async function rewrapDataKeys(deps: { db: Database; sealing: Sealing }, options?: RewrapOptions): Promise<RewrapResult> {
  const { sealing } = deps;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldDataKeys(tx, sealing.newestKeyId),
      claim: (tx, afterId, batch) => claimOldDataKeys(tx, sealing.newestKeyId, afterId, batch),
      idOf: (key) => key.id,
      nameOf: (key) => key.partnerId,
      reseal: (key) => sealing.rewrap(key),
      replace: replaceDataKeys,
    },
    options,
  );
}
