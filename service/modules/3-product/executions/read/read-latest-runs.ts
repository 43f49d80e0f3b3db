import type { Tx } from '#platform/db/tx.ts';
import { runAnswer } from './run-answer.ts';
import { listLatestRuns } from './store.ts';

/** Returns the newest executions of a partner, or of one of its clients, as the contract's executionRow. */
export async function readLatestRuns(tx: Tx, scope: { partnerId: string; clientId: string | null }, limit: number) {
  return (await listLatestRuns(tx, scope, limit)).map(runAnswer);
}
