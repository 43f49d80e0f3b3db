import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { createSecretSeal } from './secret-seal.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-endpoints.ts';

/** Seals signing secrets of earlier versions with data keys, while deliveries continue. `failed` lists endpoints. See `rewrapRows`. */
export async function resealSecrets(deps: { db: Database; dataKeys: DataKeys }, options?: RewrapOptions): Promise<RewrapResult> {
  const seal = createSecretSeal(deps.dataKeys);
  return rewrapRows(
    deps.db,
    {
      count: countOldSecrets,
      claim: claimOldSecrets,
      idOf: (row) => row.id,
      reseal: async (row, tx) => ({ id: row.id, ...(await seal.reseal(tx, row)) }),
      replace: replaceSecrets,
    },
    options,
  );
}
