import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { resealBody } from './seal-body.ts';
import { claimOldKeys, countOldKeys, replaceBodies } from './store-sweep.ts';

/** Rewraps the stored bodies with the newest master key. `failed` lists mail whose body cannot be opened; it is erased within a week. */
export async function rewrapMail(deps: { db: Database; ring: KeyRing }, options?: RewrapOptions): Promise<RewrapResult> {
  const newest = deps.ring[0].id;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldKeys(tx, newest),
      claim: (tx, afterId, batch) => claimOldKeys(tx, newest, afterId, batch),
      idOf: (row) => row.id,
      reseal: (row) => ({ id: row.id, ...resealBody(deps.ring, row, row) }),
      replace: replaceBodies,
    },
    options,
  );
}
