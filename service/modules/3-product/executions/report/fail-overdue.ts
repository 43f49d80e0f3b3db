import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { askOverdue, type OverdueVerdict } from './ask-overdue.ts';
import type { EngineDispatch } from '../dispatch/engine.ts';
import type { Finisher } from './finish.ts';
import { type OverdueExecution, readOverdue } from '../store-hot.ts';
import { extendExecutions } from './store-overdue.ts';

export type FailOverdueDeps = { db: Database; engine: EngineDispatch; finisher: Finisher; log: Log };

const BATCH = 200;
/** What a run that the engine still works on is given beyond its deadline, once. */
const EXTENSION_MINUTES = 15;

/**
 * The timeout job: looks at runs past their deadline, a bounded batch at a time. The engine is asked first: a run that ended there
 * ends here as its flow worked out; one that still runs there gets more time, once; any other ends as FAILED `timeout`. Returns how many ended.
 */
export async function failOverdue(deps: FailOverdueDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await readOverdue(deps.db, BATCH);
    const verdicts = await askOverdue(deps, overdue);
    const says = (is: OverdueVerdict['is']) => (run: OverdueExecution) => verdicts.get(run.id)?.is === is;
    const running = overdue.filter(says('running')).map(({ id }) => id);
    const extended = await extendExecutions(deps.db, running, EXTENSION_MINUTES);
    const over = overdue.filter((run) => !says('running')(run) && !says('moved')(run));
    const results = await Promise.all(over.map((run) => endOne(deps, run, verdicts.get(run.id))));
    const applied = results.filter((one) => one.applied).length;
    if (extended > 0) deps.log.info({ extended }, 'runs that the engine still works on were given more time');
    ended += applied;
    // A full batch of which nothing changed would come back for ever.
    if (overdue.length < BATCH || applied + extended === 0) break;
  }
  if (ended > 0) deps.log.info({ ended }, 'runs without a report were ended');
  return ended;
}

async function endOne(deps: FailOverdueDeps, run: OverdueExecution, verdict: OverdueVerdict | undefined) {
  const { id, workflowId, templateName, input, minutes } = run;
  if (verdict?.is === 'ended') {
    try {
      return await deps.finisher.report(verdict.report);
    } catch (error) {
      // A result that cannot be stored must not keep the run for ever.
      deps.log.warn({ err: error, executionId: id }, 'what the engine said of a run could not be stored');
    }
  }
  const message = `No report within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return deps.finisher.fail({ executionId: id, workflowId, templateName, input, code: 'timeout', message });
}
