import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';

/** Statements of the dispatch queue. Most are calls of definer functions that cross partners. */

export type ClaimedDispatch = {
  executionId: string;
  partnerId: string;
  workflowId: string;
  clientId: string | null;
  providerFlowId: string | null;
  templateName: string | null;
  attempts: number;
  misses: number;
  input: Record<string, unknown> | null;
  config: Record<string, unknown> | null;
  clientName: string;
  timezone: string;
  businessProfile: Record<string, string>;
  lastContactAt: Date | null;
  optedOut: boolean;
};

/** Claims due executions, at most `share` of one partner, for `leaseSeconds`. */
export function claimDispatches(
  db: Database,
  worker: string,
  options: { batch: number; share: number; leaseSeconds: number },
): Promise<ClaimedDispatch[]> {
  const { batch, share, leaseSeconds } = options;
  return db.call<'claim_dispatches', ClaimedDispatch>({
    name: 'claim_dispatches',
    text: 'select * from claim_dispatches($1, $2, $3, $4)',
    values: [worker, batch, share, leaseSeconds],
  });
}

export type ExpiredDispatch = { executionId: string; providerFlowId: string | null; createdAt: Date };

/** Claims dispatches whose lease has expired. */
export function claimExpiredDispatches(
  db: Database,
  worker: string,
  options: { batch: number; leaseSeconds: number },
): Promise<ExpiredDispatch[]> {
  return db.call<'claim_expired_dispatches', ExpiredDispatch>({
    name: 'claim_expired_dispatches',
    text: 'select * from claim_expired_dispatches($1, $2, $3)',
    values: [worker, options.batch, options.leaseSeconds],
  });
}

/** `retry` null removes the row from the queue. */
export type Settlement = { executionId: string; retry: { waitMs: number; missed: boolean } | null };

/** Ends claims: removes what was handed over, schedules the retry of the rest. */
export async function settleDispatches(db: Database, settlements: readonly Settlement[]): Promise<void> {
  const done = settlements.filter((one) => one.retry === null).map((one) => one.executionId);
  const retried = settlements.flatMap(({ executionId, retry }) => (retry === null ? [] : [{ executionId, ...retry }]));
  await db.call({
    name: 'settle_dispatches',
    text: 'select settle_dispatches($1::uuid[], $2::uuid[], $3::int[], $4::boolean[])',
    values: [done, retried.map((one) => one.executionId), retried.map((one) => one.waitMs), retried.map((one) => one.missed)],
  });
}

/** Makes retries due at once, in their original order, when the engine can be reached again. */
export async function releaseDelayedDispatches(db: Database): Promise<void> {
  await db.call({ name: 'executions_release_delayed_dispatches', prepare: false, text: 'select release_delayed_dispatches()', values: [] });
}

/** Lists executions of a workflow that wait in the queue unclaimed. */
export async function listQueued(tx: SystemTx, workflowId: string, batch: number): Promise<string[]> {
  const rows = await runStatement<'dispatch_waiting_of', { executionId: string }>(tx, {
    name: 'dispatch_waiting_of',
    text: 'select execution_id from dispatch where workflow_id = $1 and claimed_until is null order by execution_id limit $2',
    values: [workflowId, batch],
  });
  return rows.map((row) => row.executionId);
}
