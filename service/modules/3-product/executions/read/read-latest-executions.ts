import type { Tx } from '#platform/db/tx.ts';
import { type Reader, toExecutionRecordFor } from './execution-record.ts';
import { listLatestExecutions } from './store.ts';

/** Returns the newest executions of a partner, or of one of its clients, as the contract's executionRow for this reader. */
export async function readLatestExecutions(tx: Tx, scope: { partnerId: string; clientId: string | null }, limit: number, reader: Reader) {
  return (await listLatestExecutions(tx, scope, limit)).map((row) => toExecutionRecordFor(reader, row));
}
