import { setTimeout as wait } from 'node:timers/promises';
import { inStep, type PurgeRun, StillBusy } from './purge-run.ts';
import { isBarrierPassed } from './store.ts';

const POLL_MS = 100;
const TRIES = 100;

/** Waits until every transaction that began before the barrier has ended. */
export async function passBarrier(run: PurgeRun): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await inStep(run, (tx) => isBarrierPassed(tx, run.deletionRequestId))) return;
    await wait(POLL_MS);
  }
  throw new StillBusy('A transaction that began before the last rows were deleted is still open in the database.');
}
