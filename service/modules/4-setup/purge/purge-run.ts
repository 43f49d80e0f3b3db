import type { SystemTx } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { announce } from '#platform/notify.ts';
import type { Account, PurgeDeps } from './deps.ts';
import type { PurgePlan, PurgeTable } from './plan.ts';
import { holdPurge, setLockTimeout } from './store.ts';
import { purgeChanged } from './topic.ts';

/** A purge in the hands of this worker. */
export type PurgeRun = Account & {
  deps: PurgeDeps;
  log: Log;
  deletionRequestId: string;
  /** Id of this claim. */
  worker: string;
  signal: AbortSignal;
  plan: PurgePlan;
  /** When streams were last notified. */
  announcedAt: number;
  /** Runs one batch; those of all purges of the process take turns, so that none waits for the whole of another. */
  turn: <T>(work: () => Promise<T>) => Promise<T>;
};

/** `recorded`: the step has recorded itself what comes next. Each may run again from its start. */
export type Step = (run: PurgeRun) => Promise<'done' | 'recorded'>;

/** Another worker holds the purge, or it is gone: nothing more may be written. */
export class PurgeLost extends Error {}
/** The process stops. */
export class PurgeStopped extends Error {}
/** Something of the account is still at work and must end first; not an error. */
export class StillBusy extends Error {}

export const LEASE_SECONDS = 120;
const LOCK_TIMEOUT = '1s';
const ANNOUNCE_MS = 1_000;

/**
 * One short transaction of a step. Renews the claim and keeps the purge locked, so that two workers never write at once and one that lost its
 * claim writes nothing. Waits a second at most for rows that are in use. Streams are notified each second.
 */
export async function inStep<T>(run: PurgeRun, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  if (run.signal.aborted) throw new PurgeStopped();
  return run.deps.db.asSystem('purge', async (tx) => {
    await setLockTimeout(tx, LOCK_TIMEOUT);
    await demandClaim(tx, run);
    const result = await work(tx);
    if (performance.now() - run.announcedAt > ANNOUNCE_MS) await announceChange(tx, run);
    return result;
  });
}

export async function demandClaim(tx: SystemTx, run: Pick<PurgeRun, 'deletionRequestId' | 'worker'>): Promise<void> {
  if (!(await holdPurge(tx, run.deletionRequestId, run.worker, LEASE_SECONDS))) throw new PurgeLost();
}

export async function announceChange(tx: SystemTx, run: PurgeRun): Promise<void> {
  run.announcedAt = performance.now();
  await announce(tx, purgeChanged, { deletionRequestId: run.deletionRequestId });
}

export function tablesOf(run: PurgeRun, ...steps: PurgeTable['step'][]): PurgeTable[] {
  return run.plan.tables.filter((table) => steps.includes(table.step));
}
