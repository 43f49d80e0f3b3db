import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { pollEngine, type OverdueVerdict } from './poll-engine.ts';
import type { EngineDispatch } from '../engine.ts';
import type { Finisher } from './finish.ts';
import { awaitCapacity, extendExecutions, type OverdueExecution, readOverdue } from './store-overdue.ts';

export type FailOverdueDeps = {
  db: Database;
  engine: EngineDispatch;
  finisher: Finisher;
  log: Log;
  /** How long an execution may wait until the engine can take it. */
  waitMinutesMax: number;
};

const BATCH = 200;
/** Extension of the deadline of an execution that the engine still runs, granted once. */
const EXTENSION_MINUTES = 15;

/**
 * The timeout job: ends executions past their deadline, a bounded batch at a time. The engine is polled first: an execution that ended there
 * takes the flow's result; an execution that still runs there gets more time, once; any other fails with `timeout`. An execution that still waits to be sent is not
 * overdue until it has waited for `waitMinutesMax`; then it fails with `dispatch_failed`. Returns how many ended.
 */
export async function failOverdue(deps: FailOverdueDeps): Promise<number> {
  let ended = 0;
  while ((await awaitCapacity(deps.db, deps.waitMinutesMax, BATCH)) === BATCH);
  for (;;) {
    const overdue = await readOverdue(deps.db, deps.waitMinutesMax, BATCH);
    const verdicts = await pollEngine(deps, overdue);
    const isVerdict = (is: OverdueVerdict['is']) => (run: OverdueExecution) => verdicts.get(run.id)?.is === is;
    const running = overdue.filter(isVerdict('running')).map(({ id }) => id);
    const extended = await extendExecutions(deps.db, running, EXTENSION_MINUTES);
    const over = overdue.filter((run) => !isVerdict('running')(run) && !isVerdict('moved')(run));
    const results = await Promise.allSettled(over.map((run) => endOne(deps, run, verdicts.get(run.id))));
    const applied = results.filter((one) => one.status === 'fulfilled' && one.value.applied).length;
    // A failure to store one must not keep the others running forever.
    const failed = results.filter((one) => one.status === 'rejected');
    if (failed.length > 0) deps.log.error({ err: failed[0]?.reason, executions: failed.length }, 'could not end overdue executions');
    if (extended > 0) deps.log.info({ extended }, 'extended executions that the engine still runs');
    ended += applied;
    // A full batch in which nothing changed would be read again forever.
    if (overdue.length < BATCH || applied + extended === 0) break;
  }
  if (ended > 0) deps.log.info({ ended }, 'ended executions without a report');
  return ended;
}

async function endOne(deps: FailOverdueDeps, run: OverdueExecution, verdict: OverdueVerdict | undefined) {
  const { id, workflowId, templateName, input, minutes, waited, attempted } = run;
  if (verdict?.is === 'ended') {
    try {
      return await deps.finisher.report(verdict.report);
    } catch (error) {
      // A result that cannot be stored must not leave the execution running forever.
      deps.log.warn({ err: error, executionId: id }, 'could not store the result of an execution read from the engine');
    }
  }
  const failure = { executionId: id, workflowId, templateName, input };
  const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  if (waited) {
    const message = attempted
      ? `The automation platform could not take this run within ${time}. Nothing was sent.`
      : `The automation platform had no room for this run within ${time}.`;
    return deps.finisher.fail({ ...failure, code: 'dispatch_failed', message, onlyWhile: 'queued' });
  }
  return deps.finisher.fail({ ...failure, code: 'timeout', message: `No report within ${time}`, onlyWhile: 'overdue' });
}
