import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import type { DataKeys } from './create-data-keys.ts';
import { claimOldDataKeys, countOldDataKeys, replaceDataKeys } from './store.ts';

/**
 * Seals every partner's data key with the newest master key (see `rewrapRows`). Values are not touched, so this changes one small row per
 * partner. `failed` lists partner ids.
 */
export async function rewrapDataKeys(deps: { db: Database; dataKeys: DataKeys }, options?: RewrapOptions): Promise<RewrapResult> {
  const { dataKeys } = deps;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldDataKeys(tx, dataKeys.newestMasterKeyId),
      claim: (tx, afterId, batch) => claimOldDataKeys(tx, dataKeys.newestMasterKeyId, afterId, batch),
      idOf: (key) => key.id,
      nameOf: (key) => key.partnerId,
      reseal: (key) => dataKeys.rewrap(key),
      replace: replaceDataKeys,
    },
    options,
  );
}
