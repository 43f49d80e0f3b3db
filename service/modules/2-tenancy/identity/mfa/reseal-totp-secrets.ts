import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { resealTotp } from './seal-totp.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-mfa.ts';

/** Seals secrets of authenticator apps of earlier versions with data keys. `failed` lists users. */
export async function resealTotpSecrets(deps: { db: Database; dataKeys: DataKeys }, options?: RewrapOptions): Promise<RewrapResult> {
  return rewrapRows(
    deps.db,
    {
      count: countOldSecrets,
      claim: claimOldSecrets,
      idOf: (row) => row.userId,
      reseal: (row, tx) => resealTotp(deps.dataKeys, tx, row),
      replace: replaceSecrets,
    },
    options,
  );
}
