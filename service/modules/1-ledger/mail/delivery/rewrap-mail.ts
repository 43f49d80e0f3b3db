import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { MailFault, resealBody } from './seal-body.ts';
import { claimOldKeys, countOldKeys, replaceBodies } from './store-sweep.ts';

/**
 * Seals the bodies of mails that wait with the newest master key, as `rewrapRows` does. `failed` lists mails; they are erased
 * within a week.
 */
export async function rewrapMail(deps: { db: Database; ring: KeyRing }, options?: RewrapOptions): Promise<RewrapResult> {
  const newest = deps.ring[0].id;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldKeys(tx, newest),
      claim: (tx, afterId, batch) => claimOldKeys(tx, newest, afterId, batch),
      idOf: (row) => row.id,
      reseal: (row) => ({ id: row.id, ...resealBody(deps.ring, row, row) }),
      isFault: (error) => error instanceof MailFault,
      replace: replaceBodies,
    },
    options,
  );
}
