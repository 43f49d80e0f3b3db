import { announce } from '#platform/notify.ts';
import { FAILURE_TEXTS } from './classify-failure.ts';
import type { AccountExportDeps } from './deps.ts';
import { queueExports } from './make-exports-job.ts';
import { expireExports, failInterrupted, isExportDue } from './store-work.ts';
import { exportsChanged } from './topic.ts';

/** An export may have ten thousands of chunks. */
const BATCH = 5;

/** Expires exports whose days are over, with their files, has interrupted ones made again, and fails those that were interrupted each time. */
export async function sweepExports({ db, files, clock, log }: AccountExportDeps, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  await db.asSystem('sweep', async (tx) => {
    for (const { id, partnerId } of await failInterrupted(tx, FAILURE_TEXTS.bug, now)) {
      log.error({ exportId: id, partnerId }, 'export failed: its process ended at it each time');
      await announce(tx, exportsChanged, { partnerId, id });
    }
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
