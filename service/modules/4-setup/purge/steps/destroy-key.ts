import { destroyDataKey } from '#modules/1-ledger/data-keys/index.ts';
import { inStep, type Step, tablesOf } from '../purge-run.ts';
import { removeRows, withLocks } from '../remove-rows.ts';
import { endQueuedMail } from '../store-account.ts';

/** Ends queued mail first, since it could not be decrypted later; then destroys the key, and every value that was sealed with it. */
export const destroyKey: Step = async (run) => {
  while ((await withLocks(() => inStep(run, (tx) => endQueuedMail(tx, run)))) > 0);
  if (run.clientId === null) await inStep(run, (tx) => destroyDataKey(tx, run.partnerId));
  await removeRows(run, 'destroy_key', tablesOf(run, 'destroy_key'));
  return 'done';
};
