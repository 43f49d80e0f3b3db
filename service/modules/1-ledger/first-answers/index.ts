import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { deleteExpired } from './store.ts';

export { once } from './once.ts';

const BATCH = 1_000;

/** First answers to an Idempotency-Key, which calls of all modules keep by `once`. */
export function firstAnswers({ db, clock }: { db: Database; clock: Clock }) {
  const forget = async (): Promise<void> => {
    const now = clock.now();
    while ((await db.asSystem('sweep', (tx) => deleteExpired(tx, now, BATCH))) === BATCH);
  };
  return { routes: {}, jobs: [], crons: [defineCron('first-answers.forget', '17 * * * *', forget)] };
}
