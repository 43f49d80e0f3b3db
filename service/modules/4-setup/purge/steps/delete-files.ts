import type { SystemTx } from '#platform/db/tx.ts';
import { inStep, type PurgeRun, type Step, tablesOf } from '../purge-run.ts';
import { removeRows, withLocks } from '../remove-rows.ts';
import { countRemoved } from '../store.ts';
import { clearImports, clearMentions, clearSetups, listFiles, withdrawExports } from '../store-account.ts';

const FILES_AT_ONCE = 100;

/**
 * A client is also in exports of its whole agency, most of which go here and the rest with its name, in what setups wrote, in events that
 * list clients and in rows of imports. Chunks go before their files, so that no file takes thousands of them along in one transaction.
 */
export const deleteFiles: Step = async (run) => {
  const rows = tablesOf(run, 'delete_files').filter((table) => table.name !== 'file');
  await removeRows(run, 'delete_files', rows);
  while ((await withLocks(() => inStep(run, (tx) => removeFiles(tx, run)))) > 0);
  if (run.clientId !== null)
    await withLocks(() =>
      inStep(run, async (tx) => {
        await clearSetups(tx, run);
        await clearMentions(tx, run);
        await clearImports(tx, run);
        const files = await withdrawExports(tx, run, run.deps.clock.now());
        await run.deps.removeFiles(tx, files);
        await countRemoved(tx, run.deletionRequestId, 'delete_files', files.length);
      }),
    );
  return 'done';
};

async function removeFiles(tx: SystemTx, run: PurgeRun): Promise<number> {
  const ids = await listFiles(tx, run, FILES_AT_ONCE);
  await run.deps.removeFiles(tx, ids);
  await countRemoved(tx, run.deletionRequestId, 'delete_files', ids.length);
  return ids.length;
}
