import type { Database } from '#platform/db/tx.ts';

/** Statements of the timeout job. They are calls of definer functions that cross partners. */

export type OverdueExecution = {
  id: string;
  workflowId: string;
  templateName: string | null;
  input: Record<string, unknown> | null;
  minutes: number;
  /** Nothing of it was sent to the engine. */
  waited: boolean;
  /** Calls were made for it, none of which arrived. */
  attempted: boolean;
};

/** Lists executions past their deadline; of those that still wait to be sent only what has waited for `waitMinutes`. */
export function readOverdue(db: Database, waitMinutes: number, batch: number): Promise<OverdueExecution[]> {
  return db.call<'overdue_executions', OverdueExecution>({
    name: 'overdue_executions',
    text: 'select * from overdue_executions($1, $2)',
    values: [waitMinutes, batch],
  });
}

/** Moves the deadline of executions that still wait to be sent to `waitMinutes` after their start, once each. Returns how many were moved. */
export async function awaitCapacity(db: Database, waitMinutes: number, batch: number): Promise<number> {
  const [row] = await db.call<'await_capacity', { moved: number }>({
    name: 'await_capacity',
    text: 'select await_capacity($1, $2) as moved',
    values: [waitMinutes, batch],
  });
  return row?.moved ?? 0;
}

export type OverdueInEngine = { id: string; providerFlowId: string | null; startedAt: Date; extended: boolean; due: boolean };

/** Reads in which flow the engine ran these executions (null: never sent), and whether their deadline has still passed. */
export function readOverdueInEngine(db: Database, executionIds: readonly string[]): Promise<OverdueInEngine[]> {
  return db.call<'overdue_in_engine', OverdueInEngine>({
    name: 'overdue_in_engine',
    text: 'select * from overdue_in_engine($1::uuid[])',
    values: [executionIds],
  });
}

/** Extends the deadline of these executions, each at most once. Returns how many were extended. */
export async function extendExecutions(db: Database, executionIds: readonly string[], minutes: number): Promise<number> {
  if (executionIds.length === 0) return 0;
  const rows = await db.call<'extend_executions', { id: string }>({
    name: 'extend_executions',
    text: 'select id from extend_executions($1::uuid[], $2)',
    values: [executionIds, minutes],
  });
  return rows.length;
}
