import type { z } from 'zod';
import type { Log } from '../log.ts';

/** What a job needs to know to be added. Its handler lives apart, so that adding a job imports no work. */
export type Job<P> = {
  /** `module.verb`. */
  name: string;
  payload: z.ZodType<P>;
  /** Tries of the queue's own retry (waits e^n seconds). Business retries are data, not this. */
  attemptsMax: number;
  /** Jobs that name the same queue run one after another. */
  queue: string | null;
};

export type JobContext = {
  log: Log;
  /** Aborted when the process shuts down; long work should stop at a safe point. */
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
};

export type JobHandler = { job: Job<unknown>; run: (payload: unknown, context: JobContext) => Promise<void> };

/** Work done by the clock. `pattern` is five cron fields in UTC. Never overlaps with itself. */
export type Cron = { name: string; pattern: string; run: (context: JobContext) => Promise<void> };

/**
 * Declares a job. Payloads carry ids only, never secrets or bodies: they are copied into SQL.
 * Every handler may run twice for one cause and must end in the same state.
 */
export function defineJob<P>(name: string, payload: z.ZodType<P>, options: { attemptsMax?: number; queue?: string } = {}): Job<P> {
  return { name, payload, attemptsMax: options.attemptsMax ?? 12, queue: options.queue ?? null };
}

/** Ties a handler to its job. The payload is parsed again before it runs. */
export function handleJob<P>(job: Job<P>, run: (payload: P, context: JobContext) => Promise<void>): JobHandler {
  return { job, run: async (payload, context) => run(job.payload.parse(payload), context) };
}

/** Declares work done by the clock, for example `defineCron('executions.timeout', '* * * * *', …)`. */
export function defineCron(name: string, pattern: string, run: Cron['run']): Cron {
  return { name, pattern, run };
}
