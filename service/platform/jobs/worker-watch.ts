import type { Database } from '../db/tx.ts';
import type { Log } from '../log.ts';
import { readWorkerState } from './heartbeat.ts';
import { createRepeater } from './repeater.ts';

const LOOK_MS = 15_000;
/** After a stop of everything, a worker may start as late as the process that serves requests. */
const PATIENCE_MS = 60_000;

export type WorkerWatch = { start(): void; stop(): Promise<void> };

/**
 * Looks from a process that serves requests whether any process takes jobs: what is scheduled cannot notice that nothing is. Calls `onChange` while
 * none does, which must be safe to repeat, and once when one does again.
 */
export function createWorkerWatch(deps: {
  db: Database;
  log: Log;
  onChange: () => Promise<void>;
  lookMs?: number;
  patienceMs?: number;
}): WorkerWatch {
  const { db, log, onChange, lookMs = LOOK_MS, patienceMs = PATIENCE_MS } = deps;
  let patientUntil = 0;
  let wasSilent = false;
  const looks = createRepeater({
    everyMs: lookMs,
    round: async () => {
      const { isSilent, seenAt } = await readWorkerState(db);
      if (isSilent ? performance.now() < patientUntil : !wasSilent) return null;
      if (isSilent !== wasSilent) {
        if (isSilent) log.error({ seenAt }, 'no worker has taken a job for a minute');
        else log.info('a worker takes jobs again');
      }
      await onChange();
      wasSilent = isSilent;
      return null;
    },
    onError: (error) => log.warn({ err: error }, 'whether a worker runs is looked at later'),
  });
  return {
    start() {
      patientUntil = performance.now() + patienceMs;
      looks.start();
    },
    stop: () => looks.stop(),
  };
}
