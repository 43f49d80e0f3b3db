import type { Database } from '#platform/db/tx.ts';
import type { Finisher } from '../report/finish.ts';
import { listQueued } from './store-dispatch.ts';

const BATCH = 500;

/**
 * Fails the executions of a deleted agent that were never dispatched. Returns how many. Executions in progress may still report. Those
 * that a crash leaves queued are failed by the dispatcher, which finds no flow.
 */
export async function failQueued(deps: { db: Database; finisher: Finisher }, workflowId: string): Promise<number> {
  let ended = 0;
  for (;;) {
    const waiting = await deps.db.asSystem('sweep', (tx) => listQueued(tx, workflowId, BATCH));
    const results = await Promise.all(
      waiting.map((executionId) =>
        deps.finisher.fail({
          executionId,
          workflowId,
          templateName: null,
          input: null,
          code: 'dispatch_failed',
          message: 'The agent was deleted before this run started.',
          onlyWhile: 'queued',
        }),
      ),
    );
    const applied = results.filter((one) => one.applied).length;
    ended += applied;
    if (waiting.length < BATCH || applied === 0) return ended;
  }
}
