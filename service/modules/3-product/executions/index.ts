import type { WindowLimits } from '@partner-portal/core/execution/window.ts';
import type { Json, Template } from '@partner-portal/core/template/types.ts';
import { createByteShares } from '#platform/byte-shares.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { createRepeater } from '#platform/jobs/repeater.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import type { Secret } from '#platform/secret.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { createAcceptor } from './accept/accept.ts';
import { createChangePublisher, dispatchWaiting } from './publish-changes.ts';
import { createRefusalCounter } from './report/count-refusals.ts';
import { forgetRefusals } from './report/store-refusals.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { readBacklog } from './dispatch/store-dispatch.ts';
import { failQueued } from './dispatch/fail-queued.ts';
import type { EngineDispatch } from './engine.ts';
import { forgetFirstContacts } from './dispatch/store-first-contacts.ts';
import { correctTimeouts } from './direct/correct-timeouts.ts';
import { createDirectRuns } from './direct/run-directly.ts';
import { awaitUnderWay } from './report/await-under-way.ts';
import { failOverdue } from './report/fail-overdue.ts';
import { createStoppedFinder } from './report/find-stopped.ts';
import { findUnreported } from './report/find-unreported.ts';
import { createFinisher } from './report/finish.ts';
import { REPORT_BYTES } from './report/report.ts';
import { askAboutAll } from './report/store-unreported.ts';
import { sweepIdempotencyKeys } from './accept/store-accept.ts';
import { forgetTexts } from './read/store-forget.ts';
import { rerunJob } from './rerun/rerun-job.ts';
import { forgetReruns, rerunNext, sweepReruns } from './rerun/rerun-portion.ts';
import { createWorkflowFacts } from './workflow-facts.ts';
import { triggerWorkflow, type TriggerLimit } from './accept/trigger.ts';
import { createIngest, type IngestLimit } from './accept/ingest.ts';
import { executionHandlers } from './routes.ts';

export { refuseOverQuota } from './accept/accept.ts';
export { releaseFirstContacts } from './dispatch/store-first-contacts.ts';
export type { EngineDispatch, EngineRun } from './engine.ts';
export type { DirectRequest, DirectRun } from './direct/direct-run.ts';
export { readLatestExecutions } from './read/read-latest-executions.ts';
export { summaryFor, toExecutionRecord } from './read/execution-record.ts';
export { readRefusals } from './report/store-refusals.ts';
export { listExecutionRows } from './read/store.ts';

export type ExecutionsDeps = {
  db: Database;
  engine: EngineDispatch;
  notices: Notices;
  limits: RateLimits<IngestLimit | TriggerLimit>;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  templateOf: (name: string) => Template | undefined;
  callbackSecret: Secret;
  /** Public base address without a trailing slash. */
  publicBaseUrl: string;
  timeoutMinutesDefault: number;
  /** How long an execution may wait until the engine can take it. */
  waitMinutesMax: number;
  /** How many runs may be under way in the engine; learned within those of core unless a test says otherwise. */
  windowLimits?: WindowLimits;
  /** No other process uses the database. */
  isSoleProcess: boolean;
  failedRunsFree: number;
  /** People whom a client may text for the first time in an hour, unless it has a cap of its own. */
  firstContactsPerHour: number;
  /** How long a conversation waits for a run (ms); a minute unless a test says otherwise. */
  directWaitMs?: number;
  tracer?: Tracer | undefined;
  /** Address of a trace for people, with {traceId}; null or left out: staff see the id alone. */
  traceUrlTemplate?: string | null;
};

const OVERDUE_MS = 10_000;
const STOPPED_MS = 5_000;
const SWEEP_BATCH = 5_000;
/** Rows of runs are in several indexes, so emptying one takes longer than deleting a key. */
const TEXTS_BATCH = 1_000;

/** Executions: accepted, dispatched, reported, timed out, read. */
export function executions(deps: ExecutionsDeps) {
  const { db, log } = deps;
  const publisher = createChangePublisher({ db, log });
  const facts = createWorkflowFacts(db);
  const { factsOf } = facts;
  const finisher = createFinisher({ db, publisher, templateOf: deps.templateOf, factsOf, tracer: deps.tracer });
  const dispatcher = createDispatcher({ ...deps, finisher });
  const acceptor = createAcceptor({ ...deps, facts, publisher, wake: () => dispatcher.wake() });
  const refusals = createRefusalCounter(deps);
  const direct = createDirectRuns({ ...deps, acceptor, finisher });
  const ingest = createIngest({ ...deps, acceptor });
  // Polling the engine may take longer than the interval: the next call joins the one in progress.
  let ending: Promise<number> | undefined;
  const endOverdue = (): Promise<number> =>
    (ending ??= failOverdue({ db, engine: deps.engine, finisher, log, waitMinutesMax: deps.waitMinutesMax }).finally(
      () => (ending = undefined),
    ));
  const findStopped = createStoppedFinder({ db, engine: deps.engine, finisher, log });
  const stopped = createRepeater({
    everyMs: STOPPED_MS,
    round: async () => (await findStopped(), null),
    onError: (error) => log.warn({ err: error }, 'runs that stopped could not be searched for'),
  });
  const unreported = createRepeater({
    everyMs: STOPPED_MS,
    round: async () => ((await findUnreported({ db, engine: deps.engine, finisher, log })).hasMore ? 0 : null),
    onError: (error) => log.warn({ err: error }, 'executions under way could not be asked about'),
  });
  /** Reports may have been lost while no process ran. */
  const askAfterStart = async (): Promise<void> => {
    await askAboutAll(db);
    unreported.soon(0);
  };
  let overdue: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  return {
    routes: executionHandlers({ ...deps, acceptor, factsOf, finisher, ingest, reportShares: createByteShares(REPORT_BYTES) }),
    /** Refused before anything is proven, so they are counted where they are answered. */
    refusalCounts: { reportExecution: refusals.count },
    jobs: [handleJob(rerunJob, ({ partnerId }) => rerunNext({ ...deps, acceptor }, partnerId))],
    crons: [
      // The interval below is shorter; the cron still works when no process runs the interval.
      defineCron('executions.timeout', '* * * * *', async () => void (await endOverdue())),
      defineCron('executions.correct-timeouts', '* * * * *', async () => void (await correctTimeouts({ ...deps, finisher }))),
      defineCron('executions.sweep-reruns', '* * * * *', () => sweepReruns({ db })),
      defineCron('executions.forget-keys', '23 * * * *', async ({ signal }) => {
        while ((await sweepIdempotencyKeys(db, SWEEP_BATCH)) === SWEEP_BATCH);
        while ((await forgetFirstContacts(db, SWEEP_BATCH)) === SWEEP_BATCH);
        await forgetReruns({ db });
        await db.asSystem('sweep', forgetRefusals);
        while (!signal.aborted && (await db.asSystem('sweep', (tx) => forgetTexts(tx, TEXTS_BATCH))) === TEXTS_BATCH);
      }),
    ],
    /** Starts dispatching and timing out. Processes that only serve HTTP never call it. */
    start(): void {
      unsubscribe = deps.notices.subscribe(
        dispatchWaiting,
        ({ waits, ended }) => {
          dispatcher.ended(ended);
          if (waits) dispatcher.wake();
        },
        () => dispatcher.wake(),
      );
      dispatcher.start();
      stopped.start();
      unreported.start();
      askAfterStart().catch((error: unknown) => log.warn({ err: error }, 'executions under way are asked about later'));
      overdue = setInterval(() => {
        endOverdue().catch((error: unknown) => log.warn({ err: error }, 'overdue executions could not be checked'));
      }, OVERDUE_MS);
    },
    /** Waits for accepts, dispatches and reports in progress. */
    async stop(): Promise<void> {
      clearInterval(overdue);
      unsubscribe?.();
      await ending?.catch(() => undefined);
      await stopped.stop();
      await unreported.stop();
      await direct.stop();
      await acceptor.settled();
      await dispatcher.stop();
      await finisher.settled();
      await refusals.close();
      await publisher.close();
    },
    accept: acceptor.accept,
    /** Starts a run by hand that counts as a test of the agent. */
    startTest: (context: RequestContext, workflowId: string, input: { [key: string]: Json }) =>
      triggerWorkflow({ db, acceptor, limits: deps.limits }, context, workflowId, input, 'test'),
    /**
     * Runs an agent for a turn of a conversation and waits for the flow's own answer. Called again with the same turn, also after a crash and in
     * another process, it takes up the first run: the flow is never called twice without having asked the engine for the first.
     */
    runDirectly: direct.run,
    dispatcher,
    /** Counts what waits for the engine and what is under way in it, of all agencies. */
    backlog: () => db.asSystem('sweep', readBacklog),
    endOverdue,
    findStopped,
    /** Asks the engine about what is under way and due to be asked about. Returns how many ended. */
    findUnreported: async () => (await findUnreported({ db, engine: deps.engine, finisher, log })).ended,
    askAboutAll: () => askAboutAll(db),
    /** Waits, for half a minute at most, until what is under way of an agency has ended; see there. */
    awaitUnderWay: (partnerId: string, signal: AbortSignal) => awaitUnderWay({ db, engine: deps.engine, finisher, log }, partnerId, signal),
    correctTimeouts: () => correctTimeouts({ ...deps, finisher }),
    /** Fails the executions of a deleted agent that were never dispatched. Returns how many. */
    failQueued: (workflowId: string) => failQueued({ db, finisher }, workflowId),
    /** Stores the refused reports that were counted. */
    flushRefusals: refusals.flush,
    flushNotices: () => publisher.flush(),
  };
}

export type Executions = ReturnType<typeof executions>;
