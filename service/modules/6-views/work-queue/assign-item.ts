import type { WorkItemKind } from '@partner-portal/contract/vocabulary.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findWorkItem, releaseWorkItem, takeWorkItem } from './store.ts';

/** Takes or releases an item. Refuses `not_found` for an item that is not waiting. */
export function assignWorkItem(db: Database, caller: RequestContext, given: { kind: WorkItemKind; itemId: string; assigned: boolean }) {
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
