import { demandClaim, inStep, type Step, StillBusy } from '../purge-run.ts';
import { countRemoved } from '../store.ts';

/** Removes flows, runs and connections from the engine, while the service still knows what they are called. */
export const tearDownEngine: Step = async (run) => {
  const { removed, isBusy } = await run.deps.tearDown(run, (tx) => demandClaim(tx, run));
  if (isBusy) throw new StillBusy('A setup of this agency is running; it ends by itself.');
  await inStep(run, (tx) => countRemoved(tx, run.deletionRequestId, 'tear_down_engine', removed));
  return 'done';
};
