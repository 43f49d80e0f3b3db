import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { thresholdsCrossed } from '#modules/1-ledger/metering/index.ts';
import type { Database } from '#platform/db/tx.ts';
import { recordFacts } from '#platform/facts.ts';
import { type FinishItem, type FinishResult, finishWithCrossings, finishWithoutCrossing } from './store-finish.ts';

/**
 * Ends executions together; one result per item, in order. `fromTimeout`: ended by the service, not by a report. The few batches that cross a
 * usage threshold run again in a transaction, which publishes it.
 */
export async function finishExecutions(
  db: Database,
  items: readonly FinishItem[],
  { fromTimeout }: { fromTimeout: boolean },
): Promise<FinishResult[]> {
  const finished = await finishWithoutCrossing(db, items, fromTimeout);
  if (finished !== 'crossing') return finished;
  return db.asSystem('metering', async (tx) => {
    const { results, crossings } = await finishWithCrossings(tx, items, fromTimeout);
    await recordFacts(
      tx,
      thresholdsCrossed,
      crossings.map((one) => ({ ...one, traceparent: traceparentOf(one, items, results) })),
    );
    return results;
  });
}

/** The span that a crossing belongs below: that of the last run of its partner in the batch. Null when tracing is off. */
function traceparentOf({ partnerId }: QuotaCrossing, items: readonly FinishItem[], results: readonly FinishResult[]): string | null {
  const last = results.findLastIndex((result) => result.applied && result.partnerId === partnerId);
  return items[last]?.span?.traceparent ?? null;
}
