import type { Tx } from '#platform/db/tx.ts';
import { toExecutionRecord } from './execution-record.ts';
import { listLatestExecutions } from './store.ts';

/** Returns the newest executions of a partner, or of one of its clients, as the contract's executionRow. */
export async function readLatestExecutions(tx: Tx, scope: { partnerId: string; clientId: string | null }, limit: number) {
  return (await listLatestExecutions(tx, scope, limit)).map(toExecutionRecord);
}
