import { type RewrapOptions, type RewrapResult, rewrapRows } from '#platform/db/rewrap-rows.ts';
import type { Database } from '#platform/db/tx.ts';
import type { SecretSeal } from './secret-seal.ts';
import { claimOldSecrets, countOldSecrets, replaceSecrets } from './store-endpoints.ts';

/** Seals every signing secret with the newest master key, while deliveries continue. `failed` lists endpoints. See `rewrapRows`. */
export async function rewrapSecrets(deps: { db: Database; seal: SecretSeal }, options?: RewrapOptions): Promise<RewrapResult> {
  const { seal } = deps;
  return rewrapRows(
    deps.db,
    {
      count: (tx) => countOldSecrets(tx, seal.newestKeyId),
      claim: (tx, afterId, batch) => claimOldSecrets(tx, seal.newestKeyId, afterId, batch),
      idOf: (row) => row.id,
      reseal: (row) => ({ id: row.id, secretSealed: seal.seal(row, seal.open(row, row.secretSealed)), secretKeyId: seal.newestKeyId }),
      replace: replaceSecrets,
    },
    options,
  );
}
