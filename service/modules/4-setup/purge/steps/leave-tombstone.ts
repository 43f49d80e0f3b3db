import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { passBarrier } from '../pass-barrier.ts';
import { announceChange, inStep, type PurgeRun, type Step } from '../purge-run.ts';
import { removeRows, withLocks } from '../remove-rows.ts';
import { completePurge, countRemoved, finishStep, raiseBarrier, reopenSteps } from '../store.ts';
import { completeDeletion } from '#modules/2-tenancy/accounts/index.ts';
import { clearAccount, clearMentions, holdExports, withdrawExports } from '../store-account.ts';

/**
 * Clears the account's own row and its request of names, and records that it is gone, in one transaction with the end of the purge. Before, all
 * tables are searched once more: if anything is found, the rows are deleted again.
 */
export const leaveTombstone: Step = async (run) => {
  await inStep(run, (tx) => raiseBarrier(tx, run.deletionRequestId));
  await passBarrier(run);
  if ((await removeRows(run, 'leave_tombstone', run.plan.tables)) > 0) {
    await inStep(run, (tx) => reopenSteps(tx, run.deletionRequestId, 'delete_rows'));
    return 'recorded';
  }
  await withLocks(() => inStep(run, (tx) => conclude(tx, run)));
  run.log.info('account purged');
  return 'recorded';
};

async function conclude(tx: SystemTx, run: PurgeRun): Promise<void> {
  const { deletionRequestId, partnerId, clientId, deps } = run;
  if (clientId !== null) await holdExports(tx);
  const now = deps.clock.now();
  await clearAccount(tx, run);
  if (clientId !== null) {
    // A delivery may have been made from its event as this was read before the name was cleared there.
    await clearMentions(tx, run);
    // Until here an export of the agency holds the client with its name, and media and people for most of the purge.
    const files = await withdrawExports(tx, run, now);
    await deps.removeFiles(tx, files);
    await countRemoved(tx, deletionRequestId, 'leave_tombstone', files.length);
  }
  await completeDeletion(tx, deletionRequestId, now);
  const target = { type: clientId === null ? 'partner' : 'client', id: clientId ?? partnerId };
  await recordAudit(tx, { partnerId, clientId, actor: { kind: 'system' }, action: 'account.purged', target });
  await finishStep(tx, deletionRequestId, 'leave_tombstone', now);
  await completePurge(tx, deletionRequestId, now);
  await announceChange(tx, run);
}
