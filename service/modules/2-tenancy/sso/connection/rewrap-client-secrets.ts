import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { openClientSecret, sealClientSecret } from './client-secret.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-secrets.ts';

/** Rewraps client secrets with the newest master key. `failed` lists partners. */
export async function rewrapClientSecrets(deps: { db: Database; ring: KeyRing }, options?: RewrapOptions): Promise<RewrapResult> {
  const { ring } = deps;
  const newest = ring[0].id;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldSecrets(tx, newest),
      claim: (tx, afterId, batch) => claimOldSecrets(tx, newest, afterId, batch),
      idOf: (row) => row.partnerId,
      reseal: (row) => ({ partnerId: row.partnerId, ...sealClientSecret(ring, row.partnerId, openClientSecret(ring, row.partnerId, row)) }),
      replace: replaceSecrets,
    },
    options,
  );
}
