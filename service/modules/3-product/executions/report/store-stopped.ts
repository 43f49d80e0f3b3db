import type { Database } from '#platform/db/tx.ts';

/** Statements of the search for runs that ended without a report. They are calls of definer functions that cross partners. */

export type UnreportedFlow = { providerFlowId: string; partnerId: string; since: Date };

/** Lists flows with executions that the engine took over and that have not ended for `olderSeconds`, by turns between partners. */
export function readUnreportedFlows(db: Database, { olderSeconds, batch }: { olderSeconds: number; batch: number }) {
  return db.call<'unreported_flows', UnreportedFlow>({
    name: 'unreported_flows',
    text: 'select * from unreported_flows($1, $2)',
    values: [olderSeconds, batch],
  });
}

/** Returns the workflow of an execution that has not ended; undefined when it has, or runs in another flow. */
export async function findUnreported(db: Database, executionId: string, flowId: string): Promise<string | undefined> {
  const [row] = await db.call<'unreported_in_flow', { workflowId: string }>({
    name: 'unreported_in_flow',
    text: 'select * from unreported_in_flow($1, $2)',
    values: [executionId, flowId],
  });
  return row?.workflowId;
}
