import type { JobContext } from '#platform/jobs/define-job.ts';
import type { ManageDeps } from '../deps.ts';
import { queueDeliveries } from '../delivery/queue.ts';
import { queueRecovery } from './recover-job.ts';
import { advanceRecovery, endRecovery, listMissed, listRunningRecoveries, lockRecovery } from './store-recoveries.ts';

/** Of one recovery, at most as many as this wait or are being sent: what happens now stands behind few. */
const PENDING_MAX = 50;
/** How soon it looks for room again. */
const AGAIN_MS = 1_000;

/**
 * Queues the next portion of a recovery and looks again in a moment, until everything has ended. What it queues, how far it is and its next job
 * are written together, so it may be run twice or die at any place: each event is queued once.
 */
export async function runRecovery(
  deps: Pick<ManageDeps, 'db' | 'clock'>,
  { partnerId, recoveryId }: { partnerId: string; recoveryId: string },
): Promise<void> {
  await deps.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, async (tx) => {
    const recovery = await lockRecovery(tx, partnerId, recoveryId);
    if (recovery?.status !== 'running') return;
    if (!recovery.endpointActive) return endRecovery(tx, recoveryId, 'cancelled');
    const room = PENDING_MAX - recovery.pending;
    const missed = room > 0 ? await listMissed(tx, recovery, room) : [];
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

/** Gives recoveries that lost their job (a crash, a database restored) another one. */
export async function sweepRecoveries(deps: Pick<ManageDeps, 'db'>, { log }: Pick<JobContext, 'log'>): Promise<void> {
  const count = await deps.db.asSystem('sweep', async (tx) => {
    const running = await listRunningRecoveries(tx);
    for (const recovery of running) await queueRecovery(tx, recovery);
    return running.length;
  });
  if (count > 0) log.debug({ recoveries: count }, 'recoveries looked at');
}
