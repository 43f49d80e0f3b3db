import { runStatement } from '#platform/db/statements.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';

/** Scheduled maintenance of the whole database: creates partitions ahead of time and drops those past their retention. */
export function maintenance({ db }: { db: Database }) {
  const maintainPartitions = async (): Promise<void> => {
    const rows = await db.asSystem('sweep', (tx) =>
      runStatement<'partitioned_tables', { name: string }>(tx, {
        name: 'partitioned_tables',
        text: 'select name::text as name from partitioned_table order by name::text',
      }),
    );
    const failed: unknown[] = [];
    // Locks of one table are not held while another is waited for, and one that fails keeps no other from its partitions.
    for (const { name } of rows)
      await db
        .asSystem('sweep', (tx) =>
          runStatement(tx, { name: 'maintain_partitions', text: 'select maintain_partitions($1::text::regclass)', values: [name] }),
        )
        .catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };
  return {
    crons: [defineCron('database.maintain-partitions', '41 * * * *', maintainPartitions)],
    /** Also runs at the start of every process: after months of downtime the partitions must exist before the first event arrives. */
    maintainPartitions,
    async rewriteConnections(): Promise<void> {
      await db.asSystem('credentials', (tx) =>
        runStatement(tx, {
          name: 'rewrite_connections',
          text: `update engine_connection set status = 'pending', due_at = now(), revision = revision + 1`,
        }),
      );
    },
  };
}
