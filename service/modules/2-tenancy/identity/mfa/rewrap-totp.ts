import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import { openTotp, sealTotp } from './seal-totp.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-mfa.ts';

/** Rewraps the secrets of authenticator apps with the newest master key. `failed` lists users. */
export async function rewrapTotp(deps: { db: Database; ring: KeyRing }, options?: RewrapOptions): Promise<RewrapResult> {
  const { ring } = deps;
  const newest = ring[0].id;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldSecrets(tx, newest),
      claim: (tx, afterId, batch) => claimOldSecrets(tx, newest, afterId, batch),
      idOf: (row) => row.userId,
      reseal: (row) => ({ userId: row.userId, ...sealTotp(ring, row, openTotp(ring, row, row)) }),
      replace: replaceSecrets,
    },
    options,
  );
}
