import type { Database, SystemTx } from '#platform/db/tx.ts';
import { StartError } from '#platform/start-error.ts';
import { countWithoutDataKey, eraseDataKey } from './store.ts';

export { createDataKeys, type DataKeys } from './create-data-keys.ts';
export { createSealer, isKeyDestroyed, type SealedValue } from './create-sealer.ts';
export { rewrapDataKeys } from './rewrap-data-keys.ts';

/**
 * Destroys the data key of a partner. From the commit on no process opens a value that it sealed, nor seals another one for this partner.
 * May be called again.
 */
export const destroyDataKey = (tx: SystemTx, partnerId: string): Promise<void> => eraseDataKey(tx, partnerId);

/**
 * Refuses to start on a database whose data keys are not restored yet: an agency would get a new key, which opens nothing and stands in the
 * way of the right one.
 */
export async function requireDataKeys(db: Database): Promise<void> {
  const missing = await db.asSystem('health', countWithoutDataKey);
  if (missing === 0) return;
  const agencies = missing === 1 ? 'one agency' : `${missing} agencies`;
  throw new StartError(
    `The database lacks the data keys of ${agencies}. Restore the newest copy of partner_data_key (docs/deploy.md), then start again.`,
  );
}
