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
    await recordFacts(tx, thresholdsCrossed, crossings);
    return results;
  });
}
