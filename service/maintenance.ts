import { query } from '#platform/db/statements.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';

/** Scheduled maintenance of the whole database: creates partitions ahead of time and drops those past their retention. */
export function maintenance({ db }: { db: Database }) {
  const maintainPartitions = async (): Promise<void> => {
    const { rows } = await db.asSystem('sweep', (tx) =>
      query<'partitioned_tables', { name: string }>`select name::text as name from partitioned_table order by name::text`.execute(tx),
    );
    const failed: unknown[] = [];
    // Locks of one table are not held while another is waited for, and one that fails keeps no other from its partitions.
    for (const { name } of rows)
      await db
        .asSystem('sweep', (tx) => query<'maintain_partitions'>`select maintain_partitions(${name}::text::regclass)`.execute(tx))
        .catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };
  return {
    crons: [defineCron('database.maintain-partitions', '41 * * * *', maintainPartitions)],
    /** Also runs at the start of every process: after months of downtime the partitions must exist before the first event arrives. */
    maintainPartitions,
    async rewriteConnections(): Promise<void> {
      await db.asSystem('credentials', (tx) =>
        query<'rewrite_connections'>`update engine_connection set status = 'pending', due_at = now(), revision = revision + 1`.execute(tx),
      );
    },
  };
}
