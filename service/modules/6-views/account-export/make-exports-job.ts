import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Makes every export that is due, one after the other. It names none: whichever has waited longest for its turn is next. */
export const makeExportsJob = defineJob('account-export.make', z.object({}));

export function queueExports(tx: Tx, runAt?: Date): Promise<void> {
  return enqueue(tx, makeExportsJob, {}, { key: 'account-export.make', ...(runAt ? { runAt } : {}) });
}
