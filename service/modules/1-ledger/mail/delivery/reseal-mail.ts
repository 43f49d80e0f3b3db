import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { resealBody } from './seal-body.ts';
import { claimOldKeys, countOldKeys, replaceBodies } from './store-sweep.ts';

/** Seals bodies of earlier versions with data keys. `failed` lists mail whose body cannot be opened; it is erased within a week. */
export async function resealMail(deps: { db: Database; dataKeys: DataKeys }, options?: RewrapOptions): Promise<RewrapResult> {
  return rewrapRows(
    deps.db,
    {
      count: countOldKeys,
      claim: claimOldKeys,
      idOf: (row) => row.id,
      reseal: async (row, tx) => ({ id: row.id, ...(await resealBody(deps.dataKeys, tx, row)) }),
      replace: replaceBodies,
    },
    options,
  );
}
