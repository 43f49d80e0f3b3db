import type { JobContext } from '#platform/jobs/define-job.ts';
import type { ManageDeps } from '../deps.ts';
import { queueDeliveries } from '../queue.ts';
import { queueRecovery } from './recover-job.ts';
import { advanceRecovery, endRecovery, listMissed, listRunningRecoveries, lockRecovery } from '../store-recoveries.ts';

/** Deliveries of one recovery queued at a time, so that new events wait behind few. */
const PENDING_MAX = 50;
/** Interval between two portions. */
const AGAIN_MS = 1_000;

/**
 * Queues the next portion of a recovery and the job for the one after, until all deliveries have ended. Deliveries, position and next job are
 * written in one transaction, so a repeated or interrupted run queues each event once.
 */
export async function runRecovery(
  deps: Pick<ManageDeps, 'db' | 'clock'>,
  { partnerId, recoveryId }: { partnerId: string; recoveryId: string },
): Promise<void> {
  await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, async (tx) => {
    const recovery = await lockRecovery(tx, partnerId, recoveryId);
    if (recovery?.status !== 'running') return;
    if (!recovery.endpointActive) return endRecovery(tx, recoveryId, 'cancelled');
    const free = PENDING_MAX - recovery.pending;
    const missed = free > 0 ? await listMissed(tx, recovery, free) : [];
    const last = missed.at(-1);
    if (last) {
      const { endpointId } = recovery;
      await queueDeliveries(
        tx,
        missed.map(({ id, ...event }) => ({ ...event, partnerId, endpointId, redeliveryOf: id, recoveryId })),
      );
      await advanceRecovery(tx, recoveryId, { count: missed.length, position: last.id });
    } else if (recovery.pending === 0) {
      return endRecovery(tx, recoveryId, 'completed');
    }
    await queueRecovery(tx, recovery, new Date(deps.clock.now().getTime() + AGAIN_MS));
  });
}

/** Queues the job of every running recovery again, for those that lost it in a crash or a restore. */
export async function sweepRecoveries(deps: Pick<ManageDeps, 'db'>, { log }: Pick<JobContext, 'log'>): Promise<void> {
  const count = await deps.db.asSystem('sweep', async (tx) => {
    const running = await listRunningRecoveries(tx);
    for (const recovery of running) await queueRecovery(tx, recovery);
    return running.length;
  });
  if (count > 0) log.debug({ recoveries: count }, 'recovery jobs queued');
}
