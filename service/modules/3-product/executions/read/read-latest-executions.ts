import type { Tx } from '#platform/db/tx.ts';
import { type Reader, toExecutionRecordFor } from './execution-record.ts';
import { listExecutionRows } from './store.ts';

/** Returns the newest executions of a partner, or of one of its clients, as the contract's executionRow for this reader. */
export async function readLatestExecutions(tx: Tx, scope: { partnerId: string; clientId: string | null }, limit: number, reader: Reader) {
  const filters = { partnerId: scope.partnerId, clientId: scope.clientId ?? undefined };
  return (await listExecutionRows(tx, filters, null, limit)).map((row) => toExecutionRecordFor(reader, row));
}
