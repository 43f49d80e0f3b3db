import type { Database } from '#platform/db/tx.ts';

/** Statements of the timeout job beyond ending runs (migration 0071). They cross tenants like those of store-hot.ts. */

export type OverdueInEngine = { id: string; providerFlowId: string | null; startedAt: Date; extended: boolean; due: boolean };

/** Where the engine would know these runs (no flow: never sent), and whether their deadline still has passed. */
export function readOverdueInEngine(db: Database, executionIds: readonly string[]): Promise<OverdueInEngine[]> {
  return db.call<'overdue_in_engine', OverdueInEngine>({
    name: 'overdue_in_engine',
    text: 'select * from overdue_in_engine($1::uuid[])',
    values: [executionIds],
  });
}

/** Moves the deadline of these runs, each at most once in its life; answers how many were moved. */
export async function extendExecutions(db: Database, executionIds: readonly string[], minutes: number): Promise<number> {
  if (executionIds.length === 0) return 0;
  const rows = await db.call<'extend_executions', { id: string }>({
    name: 'extend_executions',
    text: 'select id from extend_executions($1::uuid[], $2)',
    values: [executionIds, minutes],
  });
  return rows.length;
}
