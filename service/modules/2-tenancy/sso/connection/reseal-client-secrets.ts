import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { resealClientSecret } from './client-secret.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-secrets.ts';

/** Seals client secrets of earlier versions with data keys. `failed` lists partners. */
export async function resealClientSecrets(deps: { db: Database; dataKeys: DataKeys }, options?: RewrapOptions): Promise<RewrapResult> {
  return rewrapRows(
    deps.db,
    {
      count: countOldSecrets,
      claim: claimOldSecrets,
      idOf: (row) => row.partnerId,
      reseal: (row, tx) => resealClientSecret(deps.dataKeys, tx, row),
      replace: replaceSecrets,
    },
    options,
  );
}
