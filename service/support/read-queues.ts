import { readWorkerState } from '#platform/jobs/heartbeat.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database } from '#platform/db/tx.ts';

export type Queue = { name: string; waiting: number; oldest: Date | null };

/** Reads how much waits in each queue and for how long, and when a worker was last seen. */
export async function readQueues(db: Database): Promise<{ workerSeenAt: Date | null; isSilent: boolean; queues: Queue[] }> {
  const { seenAt, isSilent } = await readWorkerState(db);
  const queues = await db.asSystem('health', (tx) =>
    runStatement<'support_queues', Queue>(tx, {
      name: 'support_queues',
      prepare: false,
      text: `select 'runs to be dispatched' as name, count(*)::int as waiting, min(due_at) as oldest from dispatch
        union all select 'runs under way', count(*)::int, min(handed_at) from under_way
        union all select 'events without reactions', count(*)::int, min(due_at) from event where due_at is not null
        union all select 'webhook deliveries', count(*)::int, min(due_at) from delivery_queue
        union all select 'mail', count(*)::int, min(due_at) from mail where status = 'queued'
        union all select 'mail held for staff', count(*)::int, min(created_at) from mail where status = 'held'`,
      values: [],
    }),
  );
  return { workerSeenAt: seenAt, isSilent, queues };
}
