import type { Database } from '../db/tx.ts';
import type { Log } from '../log.ts';
import { createRepeater } from './repeater.ts';

/** `seenAt`: when a worker was last seen, null before the first start; `isSilent`: none has been for a minute. By the database's clock. */
export type WorkerState = { seenAt: Date | null; isSilent: boolean };

export type Heartbeat = {
  /** Notes the start of this process. A worker counts as seen; another process only begins the wait for a worker. */
  begin(): Promise<void>;
  /** Goes on noting that this process takes jobs, until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

const BEAT_MS = 10_000;

export async function readWorkerState(db: Database): Promise<WorkerState> {
  const [row] = await db.call<'worker_state', WorkerState>({ name: 'worker_state', text: 'select seen_at, is_silent from worker_state()' });
  return row ?? { seenAt: null, isSilent: false };
}

/** Creates the sign of life of the workers of a database. `takesJobs` says whether this process does now; it is asked at each beat. */
export function createHeartbeat(deps: { db: Database; log: Log; isWorker: boolean; takesJobs: () => boolean; beatMs?: number }): Heartbeat {
  const { db, log } = deps;
  const note = async (takesJobs: boolean): Promise<void> => {
    await db.call({ name: 'note_worker', text: 'select note_worker($1)', values: [takesJobs] });
  };
  const beats = createRepeater({
    everyMs: deps.beatMs ?? BEAT_MS,
    round: async () => {
      if (deps.takesJobs()) await note(true);
      return null;
    },
    onError: (error) => log.warn({ err: error }, 'the sign of life of this worker was not noted'),
  });
  return {
    begin: () => note(deps.isWorker),
    start: () => {
      beats.start();
      beats.soon(0);
    },
    stop: () => beats.stop(),
  };
}
