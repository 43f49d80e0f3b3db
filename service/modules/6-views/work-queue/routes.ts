import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { assignWorkItem } from './assign-item.ts';
import { readQueue, readStaffCounts } from './read-queue.ts';

export function workQueueHandlers({ db }: { db: Database }) {
  return defineHandlers({
    getWorkQueue: (_input, { actor }) => readQueue(db, actor),
    getStaffCounts: (_input, { actor }) => readStaffCounts(db, actor),
    assignWorkItem: ({ body }, context) => assignWorkItem(db, context, body),
  });
}
