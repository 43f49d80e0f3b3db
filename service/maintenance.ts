import { sql } from 'kysely';
import type { Database } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';

/** Work the clock does for the database as a whole: months ahead exist, months past their keep are dropped. */
export function maintenance({ db }: { db: Database }) {
  const maintainPartitions = async (): Promise<void> => {
    await db.asSystem('sweep', (tx) => sql`select maintain_partitions()`.execute(tx));
  };
  return {
    crons: [defineCron('database.maintain-partitions', '41 2 * * *', maintainPartitions)],
    /** At the start: a service that slept for months finds its partitions before the first event arrives. */
    now: maintainPartitions,
    async rewriteConnections(): Promise<void> {
      await db.asSystem('credentials', (tx) =>
        sql`update engine_connection set status = 'pending', due_at = now(), revision = revision + 1`.execute(tx),
      );
    },
  };
}
