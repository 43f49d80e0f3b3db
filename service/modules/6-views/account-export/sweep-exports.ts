import { announce } from '#platform/notify.ts';
import type { AccountExportDeps } from './deps.ts';
import { queueExports } from './make-exports-job.ts';
import { expireExports, isExportDue } from './store-work.ts';
import { exportsChanged } from './topic.ts';

/** An export may have ten thousands of chunks. */
const BATCH = 5;

/** Expires exports whose days are over, with their files, and has interrupted ones made again. */
export async function sweepExports({ db, files, clock }: AccountExportDeps, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  await db.asSystem('sweep', async (tx) => {
    if (await isExportDue(tx, now)) await queueExports(tx);
  });
  for (let count = BATCH; count === BATCH && !signal?.aborted;) {
    count = await db.asSystem('sweep', async (tx) => {
      const expired = await expireExports(tx, now, BATCH);
      await files.remove(
        tx,
        expired.flatMap(({ fileId }) => (fileId === null ? [] : [fileId])),
      );
      for (const { id, partnerId } of expired) await announce(tx, exportsChanged, { partnerId, id });
      return expired.length;
    });
  }
}
