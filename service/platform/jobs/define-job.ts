import type { z } from 'zod';
import type { Log } from '../log.ts';

/** Declaration of a job kind. Its handler is bound separately, so that enqueueing imports no handler. */
export type Job<P> = {
  /** `module.verb`. */
  name: string;
  payload: z.ZodType<P>;
  /** Attempts with the queue's exponential back-off (e^n seconds). Retries that users see are columns instead. */
  attemptsMax: number;
  /** Jobs of the same queue run one at a time. */
  queue: string | null;
};

export type JobContext = {
  log: Log;
  /** Aborted at shutdown; long handlers stop at a safe point. */
  signal: AbortSignal;
  /** 1 for the first attempt. */
  attempt: number;
};

export type JobHandler = { job: Job<unknown>; run: (payload: unknown, context: JobContext) => Promise<void> };

/** Scheduled job. `pattern` is five cron fields in UTC. Never overlaps with itself. */
export type Cron = { name: string; pattern: string; run: (context: JobContext) => Promise<void> };

/**
 * Declares a job. Payloads carry ids only, never secrets or bodies: they are stored in the queue.
 * Handlers must be idempotent.
 */
export function defineJob<P>(name: string, payload: z.ZodType<P>, options: { attemptsMax?: number; queue?: string } = {}): Job<P> {
  return { name, payload, attemptsMax: options.attemptsMax ?? 12, queue: options.queue ?? null };
}

/** Binds a handler to its job. The payload is parsed before it runs. */
export function handleJob<P>(job: Job<P>, run: (payload: P, context: JobContext) => Promise<void>): JobHandler {
  return { job, run: async (payload, context) => run(job.payload.parse(payload), context) };
}

/** Declares a scheduled job, for example `defineCron('module.verb', '* * * * *', …)`. */
export function defineCron(name: string, pattern: string, run: Cron['run']): Cron {
  return { name, pattern, run };
}
