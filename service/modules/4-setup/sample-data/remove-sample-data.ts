import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { removePast } from './store.ts';

export type SampleDataDeps = { db: Database };

/** Removes the sample data of the caller's agency, once, and returns how much it was. Refuses `not_found` when there is none. */
export function removeSampleData({ db }: SampleDataDeps, context: RequestContext) {
  const { actor } = context;
  return db.asTenant(actor, async (tx) => {
    const removed = await removePast(tx);
    if (!removed) return refuse('not_found', { detail: 'There is no sample data.' });
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sample_data.removed',
      target: { type: 'partner', id: actor.partnerId, label: 'the sample data' },
      changes: { runs: [removed.runs, 0], conversations: [removed.conversations, 0] },
      origin: originOf(context),
    });
    return removed;
  });
}
