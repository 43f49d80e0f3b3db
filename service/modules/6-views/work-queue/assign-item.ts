import type { WorkItemKind } from '@partner-portal/contract/vocabulary.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findWorkItem, releaseWorkItem, takeWorkItem } from './store.ts';

/**
 * Takes or releases an item. Refuses `not_found` for an item that is not waiting. Who of staff has it concerns no agency, so the entry is in the log of
 * staff. It has the ids of the account, by which a purge finds it.
 */
export function assignWorkItem(db: Database, caller: RequestContext, given: { kind: WorkItemKind; itemId: string; assigned: boolean }) {
  const { actor } = caller;
  return db.asStaff(actor, async (tx) => {
    const item = await findWorkItem(tx, given.kind, given.itemId);
    if (!item) return refuse('not_found');
    if (given.assigned) await takeWorkItem(tx, { kind: given.kind, itemId: given.itemId, userId: actor.userId });
    else await releaseWorkItem(tx, given);
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'work_item.assigned',
      target: { type: given.kind, id: given.itemId, label: item.title },
      changes: {
        owner: [item.ownerName, given.assigned ? actor.email : null],
        ...(item.partnerId === null ? {} : { partnerId: [null, item.partnerId] }),
        ...(item.clientId === null ? {} : { clientId: [null, item.clientId] }),
      },
      origin: originOf(caller),
    });
    return (await findWorkItem(tx, given.kind, given.itemId)) ?? refuse('not_found');
  });
}
