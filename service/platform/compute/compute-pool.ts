import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { createFairTurns, TurnRefusal } from '../fair-turns.ts';
import { hold } from '../held.ts';
import { threadEnv } from './thread-env.ts';

type Work = (input: never) => unknown;

/**
 * An exported function of a file, which runs in a thread of the pool. Input and result are cloned; a class of an error is lost, so that
 * expected faults are results.
 */
export type ComputeTask<W extends Work> = { file: string; name: string; deadlineMs: number; work?: W };

/** `name`: the exported function; `deadlineMs`: its time in the thread, the start of a new thread included. */
export function defineTask<W extends Work>(task: { file: URL; name: string; deadlineMs: number }): ComputeTask<W> {
  return { ...task, file: fileURLToPath(task.file) };
}

/** `full`: too much is waiting; `waited`: no thread was free in time; `deadline`: the work was ended; `memory`: it needed too much. */
export class ComputeRefusal extends Error {
  readonly reason: 'full' | 'waited' | 'deadline' | 'memory';
  constructor(reason: ComputeRefusal['reason'], cause?: unknown) {
    super(`Work in a thread was refused or ended: ${reason}.`, { cause });
    this.name = 'ComputeRefusal';
    this.reason = reason;
  }
}

/** Work that would hold the event loop: documents, images, signatures of strangers. */
export type ComputePool = {
  /**
   * Runs a task in a thread. `key`: the tenant, by which turns are fair; `bytes`: what the input holds in memory. Throws `ComputeRefusal`, and
   * what the task throws.
   */
  run<W extends Work>(
    task: ComputeTask<W>,
    input: Parameters<W>[0],
    request: { key: string; bytes: number },
  ): Promise<Awaited<ReturnType<W>>>;
  /** Ends all threads; work in progress is refused as `deadline`. */
  close(): Promise<void>;
};

export type ComputeOptions = {
  /** Two at least, since a key alone holds half of them. */
  threads?: number;
  /** Most tasks that wait; a key alone has half of the places. */
  waitingMax?: number;
  /** Most bytes of inputs, waiting and running; a key alone holds half. */
  bytesMax?: number;
  waitMs?: number;
  /** Multiplies the deadline of every task, for machines that do other work too. */
  deadlineFactor?: number;
  /** Heap limit of each thread. */
  heapMb?: number;
};

/** Unused threads end, so that a service that computes nothing holds none. */
const IDLE_MS = 30_000;

/** Creates a pool of threads with a bounded queue, fair turns between keys, and a deadline after which a thread is replaced. */
export function createComputePool({
  threads = Math.max(2, Math.min(4, availableParallelism() - 1)),
  waitingMax = 64,
  bytesMax = 32 * 1024 * 1024,
  waitMs = 5_000,
  deadlineFactor = 1,
  heapMb = 128,
}: ComputeOptions = {}): ComputePool {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: threads,
    // The turns give a task at a time to each thread, so that the pool's own queue only bridges the start of a thread.
    maxQueue: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    env: threadEnv(),
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const inTurn = createFairTurns({ slots: threads, waitingMax, bytesMax, waitMs });
  const closing = new AbortController();
  return {
    async run(task, input, { key, bytes }) {
      using _thread = hold('threads');
      try {
        return await inTurn({ key, bytes }, () => {
          const signal = AbortSignal.any([AbortSignal.timeout(task.deadlineMs * deadlineFactor), closing.signal]);
          return pool.run(input, { filename: task.file, name: task.name, signal });
        });
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async close() {
      closing.abort();
      await pool.destroy();
    },
  };
}

function toRefusal(error: unknown): unknown {
  if (error instanceof TurnRefusal) return new ComputeRefusal(error.reason);
  if (!(error instanceof Error)) return error;
  if (error.name === 'AbortError') return new ComputeRefusal('deadline', error);
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ComputeRefusal('memory', error) : error;
}
