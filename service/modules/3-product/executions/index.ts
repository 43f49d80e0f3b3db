import type { Template } from '@partner-portal/core/template/types.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import type { Secret } from '#platform/secret.ts';
import { createAcceptor } from './accept/accept.ts';
import { createAnnouncer, dispatchWaits } from './report/announce.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { endWaiting } from './dispatch/end-waiting.ts';
import type { EngineDispatch } from './dispatch/engine.ts';
import { failOverdue } from './report/fail-overdue.ts';
import { createFinisher } from './report/finish.ts';
import { sweepIdempotencyKeys } from './store-hot.ts';
import { createIngest } from './accept/ingest.ts';
import { executionHandlers } from './routes.ts';

export type { EngineDispatch } from './dispatch/engine.ts';
export { readLatestRuns } from './read/read-latest-runs.ts';
export { runAnswer } from './read/run-answer.ts';
export { listRuns } from './read/store.ts';

export type ExecutionsDeps = {
  db: Database;
  engine: EngineDispatch;
  notices: Notices;
  limits: RateLimits;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  templateOf: (name: string) => Template | undefined;
  callbackSecret: Secret;
  /** Public base address without a trailing slash. */
  publicBaseUrl: string;
  timeoutMinutesDefault: number;
};

const OVERDUE_MS = 10_000;
const SWEEP_BATCH = 5_000;

/** Runs: accepted, dispatched, reported, timed out, looked at. */
export function executions(deps: ExecutionsDeps) {
  const { db, log } = deps;
  const announcer = createAnnouncer({ db, log });
  const finisher = createFinisher({ db, announcer, templateOf: deps.templateOf, portalUrl: deps.publicBaseUrl });
  const dispatcher = createDispatcher({ ...deps, finisher });
  const acceptor = createAcceptor({ ...deps, announcer, wake: () => dispatcher.wake() });
  const ingest = createIngest({ ...deps, acceptor });
  // Asking the engine may take longer than the pause between two looks: the next one joins the one under way.
  let looking: Promise<number> | undefined;
  const endOverdue = (): Promise<number> =>
    (looking ??= failOverdue({ db, engine: deps.engine, finisher, log }).finally(() => (looking = undefined)));
  let overdue: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  return {
    routes: executionHandlers({ ...deps, acceptor, finisher, ingest }),
    crons: [
      // The loop below is quicker; this one still works when another process holds the loop.
      defineCron('executions.timeout', '* * * * *', async () => void (await endOverdue())),
      defineCron('executions.forget-keys', '23 * * * *', async () => {
        while ((await sweepIdempotencyKeys(db, SWEEP_BATCH)) === SWEEP_BATCH);
      }),
    ],
    /** Begins dispatching and timing out. Processes that only serve HTTP never call it. */
    start(): void {
      unsubscribe = deps.notices.subscribe(
        dispatchWaits,
        () => dispatcher.wake(),
        () => dispatcher.wake(),
      );
      dispatcher.start();
      overdue = setInterval(() => {
        endOverdue().catch((error: unknown) => log.warn({ err: error }, 'overdue runs not looked at'));
      }, OVERDUE_MS);
    },
    /** Lets what is under way finish: accepts, dispatches, reports. */
    async stop(): Promise<void> {
      clearInterval(overdue);
      unsubscribe?.();
      await looking?.catch(() => undefined);
      await acceptor.settled();
      await dispatcher.stop();
      await finisher.settled();
      await announcer.close();
    },
    accept: acceptor.accept,
    dispatcher,
    endOverdue,
    /** Ends the runs of a deleted agent that the engine was never given; answers how many. */
    endWaiting: (workflowId: string) => endWaiting({ db, finisher }, workflowId),
    flushNotices: () => announcer.flush(),
  };
}

export type Executions = ReturnType<typeof executions>;
