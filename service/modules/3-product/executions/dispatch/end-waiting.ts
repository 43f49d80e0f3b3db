import { runStatement } from '#platform/db/statements.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Finisher } from '../report/finish.ts';

const BATCH = 500;

/**
 * Ends the runs of a deleted agent that the engine was never given; answers how many. Runs under way are left alone and may report.
 * What is missed here (a process that dies) the dispatcher ends, since it finds no flow to send it to.
 */
export async function endWaiting(deps: { db: Database; finisher: Finisher }, workflowId: string): Promise<number> {
  let ended = 0;
  for (;;) {
    const waiting = await deps.db.asSystem('sweep', (tx) =>
      runStatement<'dispatch_waiting_of', { executionId: string }>(tx, {
        name: 'dispatch_waiting_of',
        text: 'select execution_id from dispatch where workflow_id = $1 and claimed_until is null order by execution_id limit $2',
        values: [workflowId, BATCH],
      }),
    );
    const results = await Promise.all(
      waiting.map(({ executionId }) =>
        deps.finisher.fail({
          executionId,
          workflowId,
          templateName: null,
          input: null,
          code: 'dispatch_failed',
          message: 'The agent was deleted before this run began.',
        }),
      ),
    );
    const applied = results.filter((one) => one.applied).length;
    ended += applied;
    if (waiting.length < BATCH || applied === 0) return ended;
  }
}
