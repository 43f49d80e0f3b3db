import type { Database } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { workQueueHandlers } from './routes.ts';
import { deleteSettledOwners } from './store.ts';

/** Work queue of staff: applications, plan and agent requests, deletions and reactivations of agencies, failed and stuck setups, agents that differ in the engine. */
export function workQueue(deps: { db: Database }) {
  return {
    routes: workQueueHandlers(deps),
    crons: [defineCron('work-queue.forget-settled', '41 3 * * *', async () => deps.db.asSystem('sweep', deleteSettledOwners))],
  };
}
