import { foldUsageOf } from '#modules/1-ledger/metering/index.ts';
import { inStep, type Step, tablesOf } from '../purge-run.ts';
import { passBarrier } from '../pass-barrier.ts';
import { removeRows, withLocks } from '../remove-rows.ts';
import { raiseBarrier } from '../store.ts';
import { clearReference, clearSetups, settleEvents } from '../store-account.ts';

const SETTLE_BATCH = 1_000;
const RUNS: readonly string[] = ['dispatch', 'under_way', 'execution'];

/**
 * Deletes the rows of all tables, until a whole pass finds none. A pass begins once every transaction that was open before the last one has
 * ended: what such a transaction wrote is found, and a later one finds the account deleted and its rows gone, so that nothing appears behind the
 * purge.
 */
export const deleteRows: Step = async (run) => {
  const tables = tablesOf(run, 'destroy_key', 'delete_rows');
  const runs = tables.filter((table) => RUNS.includes(table.name));
  const others = tables.filter((table) => !RUNS.includes(table.name));
  // While the client's own setups are there: the error of the last one is also that of the instance.
  if (run.clientId !== null) await withLocks(() => inStep(run, (tx) => clearSetups(tx, run)));
  let removed: number;
  do {
    await passBarrier(run);
    for (const cut of run.plan.cut) await withLocks(() => inStep(run, (tx) => clearReference(tx, run, cut)));
    // Runs first: none reports from here on. Then no event is waiting to cause something.
    removed = await removeRows(run, 'delete_rows', runs);
    while ((await withLocks(() => inStep(run, (tx) => settleEvents(tx, run, SETTLE_BATCH)))) === SETTLE_BATCH);
    // Before its notes go: the sums of all agencies keep what a removed one used.
    if (run.clientId === null) await withLocks(() => inStep(run, (tx) => foldUsageOf(tx, run.partnerId)));
    removed += await removeRows(run, 'delete_rows', others);
    await inStep(run, (tx) => raiseBarrier(tx, run.deletionRequestId));
  } while (removed > 0);
  return 'done';
};
