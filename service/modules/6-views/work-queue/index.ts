import type { WorkItemKind } from '@partner-portal/contract/vocabulary.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { countForStaff, findWorkItem, deleteSettledOwners, releaseWorkItem, listWorkItems, takeWorkItem } from './store.ts';

/** Upper limit of one list; the oldest matter most. */
const ITEMS_MAX = 500;

/** Work queue of staff: applications, plan and agent requests, deletions and reactivations of agencies, failed and stuck setups. */
export function workQueue({ db }: { db: Database }) {
  return {
    routes: defineHandlers({
      getWorkQueue: (_input, { actor }) => db.asStaff(actor, (tx) => listWorkItems(tx, ITEMS_MAX)),
      getStaffCounts: (_input, { actor }) => db.asStaff(actor, countForStaff),
      assignWorkItem: ({ body }, context) => assign(db, context, body),
    }),
    crons: [defineCron('work-queue.forget-settled', '41 3 * * *', async () => db.asSystem('sweep', deleteSettledOwners))],
  };
}

/** Takes or releases an item. Refuses `not_found` for an item that is not waiting. */
function assign(db: Database, caller: RequestContext, given: { kind: WorkItemKind; itemId: string; assigned: boolean }) {
  const { actor } = caller;
  return db.asStaff(actor, async (tx) => {
    const item = await findWorkItem(tx, given.kind, given.itemId);
    if (!item) return refuse('not_found');
    if (given.assigned) await takeWorkItem(tx, { kind: given.kind, itemId: given.itemId, userId: actor.userId });
    else await releaseWorkItem(tx, given);
    await recordAudit(tx, {
      partnerId: item.partnerId ?? actor.partnerId,
      actor,
      action: 'work_item.assigned',
      target: { type: given.kind, id: given.itemId, label: item.title },
      changes: { owner: [item.ownerName, given.assigned ? actor.email : null] },
      origin: originOf(caller),
    });
    return (await findWorkItem(tx, given.kind, given.itemId)) ?? refuse('not_found');
  });
}
