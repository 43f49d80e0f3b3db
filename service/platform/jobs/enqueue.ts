import { runStatement } from '../db/statements.ts';
import type { Tx } from '../db/tx.ts';
import type { Job } from './define-job.ts';

export type EnqueueOptions = {
  /** Earliest time to run; immediately when left out. */
  runAt?: Date;
  /** Deduplication key: a waiting job with the same key is replaced. */
  key?: string;
};

/** Enqueues a job in the caller's transaction, in one statement; it exists only once that commits. */
export async function enqueue<P>(tx: Tx, job: Job<P>, payload: P, options: EnqueueOptions = {}): Promise<void> {
  await runStatement(tx, {
    name: 'enqueue_job',
    text: 'select enqueue_job($1, $2::json, $3::timestamptz, $4, $5, $6)',
    values: [job.name, JSON.stringify(payload), options.runAt ?? null, options.key ?? null, job.queue, job.attemptsMax],
  });
}

/**
 * Enqueues many jobs of one kind in one statement; `keyOf` returns the deduplication key of each. `inTurn`: the first jobs of every call run before
 * the later ones of any, so that a long call does not delay a short one.
 */
export async function enqueueMany<P>(
  tx: Tx,
  job: Job<P>,
  payloads: readonly P[],
  options: { runAt?: Date; keyOf?: (payload: P) => string; inTurn?: boolean } = {},
): Promise<void> {
  if (payloads.length === 0) return;
  const { keyOf, inTurn = false } = options;
  await runStatement(tx, {
    name: 'enqueue_jobs',
    text: 'select enqueue_jobs($1, $2::json[], $3::text[], $4::timestamptz, $5, $6, $7::int[])',
    values: [
      job.name,
      payloads.map((payload) => JSON.stringify(payload)),
      keyOf ? payloads.map(keyOf) : null,
      options.runAt ?? null,
      job.queue,
      job.attemptsMax,
      inTurn ? payloads.map((_, place) => place) : null,
    ],
  });
}
