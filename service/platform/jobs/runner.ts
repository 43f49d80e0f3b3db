import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Logger,
  parseCronItems,
  run,
  type Runner as QueueRunner,
  type RunnerOptions,
  runOnce,
  type Task,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import { trackConnections } from '../connection-watch.ts';
import { type DatabaseAddress, KEEP_ALIVE } from '../db/host.ts';
import { type PoolState, poolState } from '../db/pool.ts';
import { hold } from '../held.ts';
import type { Log } from '../log.ts';
import { defineHistogram } from '../measure.ts';
import type { Cron, JobContext, JobHandler } from './define-job.ts';
import { openLiveness, type Liveness } from './liveness.ts';

export type JobRunner = {
  /** Releases jobs of dead workers, then processes jobs until `stop`. */
  start(): Promise<void>;
  /** Takes no new job, lets running ones finish for `graceMs`, then aborts their signal and returns their jobs to the queue. */
  stop(graceMs: number): Promise<void>;
  /**
   * For tests: runs due jobs of the given handlers, and the jobs those add, until none is left. With `untilAt`, jobs due by then run now.
   * Throws when a job failed, unless `allowFailures`. `concurrency` jobs run at a time, four unless given; one makes their order that of the queue.
   */
  drain(options?: { untilAt?: Date; allowFailures?: boolean; concurrency?: number }): Promise<void>;
  /** Runs one cron handler now. */
  runCron(name: string): Promise<void>;
  /** Ends its connections, as if the server had; others follow. */
  endConnections(): void;
  /** Number of due, unlocked jobs; null when the database does not answer. */
  depth(): Promise<number | null>;
  /** Its connections to the database. */
  poolState(): PoolState;
  isRunning(): boolean;
  /** Whether the runner ended by itself and another is not up yet. */
  hasEnded(): boolean;
};

export type RunnerDeps = {
  /** Address for the queue's own role. */
  address: DatabaseAddress;
  jobs: readonly JobHandler[];
  crons: readonly Cron[];
  log: Log;
  concurrency?: number;
  /** Age of a job's lock from which its worker may count as dead; five seconds unless given. */
  freshSeconds?: number;
};

const tries = defineHistogram('portal_job_duration_seconds', {
  help: 'Jobs of the queue by name and outcome: finished or failed. One count is one try.',
  labels: ['name', 'outcome'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
});
const CONCURRENCY = 24;
/** Connections of the queue; docs/deploy.md adds them up. */
export const QUEUE_POOL_MAX = 6;
const POLL_MS = 500;
/** How far back the clock may be set while a test drains the queue. */
const CLOCK_STEP_MS = 200;
/** How long to wait before another runner starts; doubled after each that did not. */
const RELAUNCH_MS = 500;
const RELAUNCH_MS_MAX = 30_000;

/** Creates the job worker of this process. Jobs are claimed and completed in batches. */
export function createRunner(deps: RunnerDeps): JobRunner {
  const { log } = deps;
  const pool = openQueuePool(deps);
  const endPool = trackConnections(pool);
  const aborting = new AbortController();
  const tasks = buildTasks(deps, aborting.signal);
  const failures: unknown[] = [];
  const stopping = new AbortController();
  let runner: QueueRunner | undefined;
  let liveness: Liveness | undefined;
  let relaunching: Promise<void> | undefined;
  // Anyone may ask for readiness, and a process that only serves has no other use for the queue's connections.
  let counting: Promise<number | null> | undefined;

  const options = (events: WorkerEvents): RunnerOptions => ({
    pgPool: pool,
    taskList: tasks,
    events,
    concurrency: deps.concurrency ?? CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(log),
  });

  /** Starts the queue's runner, which ends for good at the first statement that fails while it notes that a job is done. */
  const launch = async (alive: Liveness): Promise<void> => {
    const events: WorkerEvents = new EventEmitter();
    const workerIds: string[] = [];
    events.on('pool:create', ({ workerPool }) => {
      workerIds.push(workerPool.id);
      void alive.register(workerPool.id);
    });
    const started = await run({
      ...options(events),
      preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      parsedCronItems: parseCronItems(
        deps.crons.map((cron) => ({
          task: `cron.${cron.name}`,
          match: cron.pattern,
          options: { backfillPeriod: 0, queueName: `cron.${cron.name}`, jobKey: `cron.${cron.name}` },
          identifier: cron.name,
        })),
      ),
    });
    runner = started;
    void started.promise
      .catch((error: unknown) => log.warn({ err: error }, 'queue ended with an error'))
      .then(() => {
        if (!stopping.signal.aborted) relaunching = relaunch(alive, workerIds).finally(() => (relaunching = undefined));
      });
  };
  /** Releases everything the ended runner held and starts another, until one is up: its promise resolves regardless of how it ended. */
  const relaunch = async (alive: Liveness, workerIds: readonly string[]): Promise<void> => {
    runner = undefined;
    for (let waitMs = RELAUNCH_MS; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, RELAUNCH_MS_MAX)) {
      log.error({ waitMs }, 'job runner ended, starting another');
      try {
        await wait(waitMs, undefined, { signal: stopping.signal });
        for (const workerId of workerIds) await alive.release(workerId);
        return await launch(alive);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'job runner did not start');
      }
    }
  };

  return {
    async start() {
      // A start that failed may be made again.
      liveness ??= openLiveness(deps.address, pool, log, deps.freshSeconds);
      await liveness.freeDeadWorkers();
      await launch(liveness);
    },
    async stop(graceMs) {
      stopping.abort();
      await relaunching;
      const timer = setTimeout(() => aborting.abort(), graceMs);
      await runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'job runner did not stop cleanly'));
      clearTimeout(timer);
      aborting.abort();
      runner = undefined;
      await liveness?.close();
      await pool.end();
    },
    async drain({ untilAt, allowFailures = false, concurrency = 4 } = {}) {
      failures.length = 0;
      const events: WorkerEvents = new EventEmitter();
      events.on('job:error', ({ error }) => failures.push(error));
      const names = Object.keys(tasks);
      const dueBy = (): Date => new Date(Math.max(untilAt?.getTime() ?? 0, Date.now() + CLOCK_STEP_MS));
      do {
        // The wall clock of a virtual machine may be set back by some milliseconds after a job was added: what is due is due a second ago, in its order.
        await pool.query(
          `select graphile_worker.reschedule_jobs(array[id], run_at := least(run_at, now()) - interval '1 second')
           from graphile_worker.jobs where run_at <= $1 and attempts = 0 and task_identifier = any($2)`,
          [dueBy(), names],
        );
        await runOnce({ ...options(events), concurrency });
      } while ((await countDue(pool, dueBy(), names)) > 0);
      if (failures.length > 0 && !allowFailures) throw new AggregateError(failures, 'A job failed while draining.');
    },
    async runCron(name) {
      const cron = deps.crons.find((one) => one.name === name);
      if (!cron) throw new Error(`There is no cron "${name}".`);
      await cron.run({ log, signal: aborting.signal, attempt: 1 });
    },
    endConnections() {
      endPool();
      liveness?.reconnect();
    },
    depth: () =>
      (counting ??= countDue(pool)
        .catch(() => null)
        .finally(() => (counting = undefined))),
    poolState: () => poolState(pool),
    isRunning: () => runner !== undefined,
    hasEnded: () => relaunching !== undefined,
  };
}

function openQueuePool(deps: RunnerDeps): pg.Pool {
  const pool = new pg.Pool({ ...deps.address, ...KEEP_ALIVE, max: QUEUE_POOL_MAX, application_name: 'portal queue' });
  pool.on('error', (error) => deps.log.warn({ err: error }, 'queue connection lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function buildTasks(deps: RunnerDeps, signal: AbortSignal): Record<string, Task> {
  const tasks: Record<string, Task> = {};
  const add = (name: string, run: (payload: unknown, context: JobContext) => Promise<void>): void => {
    if (tasks[name]) throw new Error(`Two handlers are bound to the job "${name}".`);
    tasks[name] = async (payload, helpers) => {
      using _lease = hold('jobs');
      const log = deps.log.child({ job: name, jobId: helpers.job.id });
      const startedAt = performance.now();
      try {
        await run(payload, { log, signal, attempt: helpers.job.attempts });
        const ms = performance.now() - startedAt;
        tries.observe({ name, outcome: 'finished' }, ms);
        log.debug({ ms: Math.round(ms) }, 'job done');
      } catch (error) {
        const ms = performance.now() - startedAt;
        tries.observe({ name, outcome: 'failed' }, ms);
        log.error({ err: error, attempt: helpers.job.attempts, ms: Math.round(ms) }, 'job failed');
        throw error;
      }
    };
  };
  for (const handler of deps.jobs) add(handler.job.name, handler.run);
  for (const cron of deps.crons) add(`cron.${cron.name}`, (_payload, context) => cron.run(context));
  return tasks;
}

/** Counts due jobs; with `names`, only of these kinds: a runner with some modules' handlers cannot drain jobs of others. */
async function countDue(pool: pg.Pool, untilAt?: Date, names?: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ due: string }>(
    `select count(*) as due from graphile_worker.jobs
     where attempts < max_attempts and locked_at is null and (run_at <= now() or (attempts = 0 and run_at <= $1))
       and ($2::text[] is null or task_identifier = any($2))`,
    [untilAt ?? null, names ?? null],
  );
  return Number(rows[0]?.due ?? 0);
}

/**
 * Forwards the queue library's log lines; its "info" is our "debug". Messages of it hold those of errors, with their stacks: the fixed words before
 * them stay, and the error becomes a field. A job that failed is logged where it did.
 */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta?.['failure'] === true) return;
    const words = message.split(/:\s|\n| ['"]/, 1)[0] ?? '';
    const fields = { queue: true, ...(meta?.['error'] instanceof Error ? { err: meta['error'] } : {}) };
    if (level === 'error') log.error(fields, words);
    else if (level === 'warning') log.warn(fields, words);
    else log.debug(fields, words);
  });
}
