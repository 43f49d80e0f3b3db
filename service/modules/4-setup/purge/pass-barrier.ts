import { setTimeout as wait } from 'node:timers/promises';
import { inStep, type PurgeRun, StillBusy } from './purge-run.ts';
import { isBarrierPassed } from './store.ts';

const POLL_MS = 100;
const WAIT_MS = 10_000;

/** Waits until every transaction that began before the barrier has ended. */
export async function passBarrier(run: PurgeRun): Promise<void> {
  const waitMs = run.deps.barrierWaitMs ?? WAIT_MS;
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += POLL_MS) {
    if (await inStep(run, (tx) => isBarrierPassed(tx, run.deletionRequestId))) return;
    await wait(POLL_MS);
  }
  throw new StillBusy('A transaction that began before the last rows were deleted is still open in the database.');
}
