import type { Tx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { CredentialSlot } from '#modules/3-product/credentials/index.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { queueInstalls } from './install-job.ts';
import { announceRequestsOf, holdInstalling, listOverdue, listWaiting, markWaitingDue } from './store-due.ts';

const SWEEP_BATCH = 500;
/** Requests due more recently still have their job. */
const SWEEP_AFTER_MS = 20_000;

/**
 * Queues requests whose installation failed for want of these credentials, and announces those that may have lacked one. Whether all
 * are there now is decided by the job, after the commit.
 */
export async function resumeRequests(deps: Pick<AgentRequestsDeps, 'clock'>, tx: Tx, slots: readonly CredentialSlot[]): Promise<void> {
  for (const slot of slots) {
    await holdInstalling(tx, slot);
    await queueInstalls(tx, await markWaitingDue(tx, slot, deps.clock.now()));
  }
  await announceLacking(tx, slots);
}

/** Queues what was approved for an agency before its suspension. */
export async function resumeSuspended(tx: Tx, resumed: readonly { partnerId: string; clientId: string | null }[]): Promise<void> {
  for (const { partnerId, clientId } of resumed) if (clientId === null) await queueInstalls(tx, await listWaiting(tx, partnerId));
}

/** Announces the open requests that a credential of these slots may be for, to streams that show what a request lacks. */
export async function announceLacking(tx: Tx, slots: readonly CredentialSlot[]): Promise<void> {
  for (const slot of slots) await announceRequestsOf(tx, slot);
}

/** Cron `agent-requests.sweep`: queues due requests that lost their job. */
export async function sweepRequests(deps: Pick<AgentRequestsDeps, 'db' | 'clock'>, context: JobContext): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - SWEEP_AFTER_MS);
  const found = await deps.db.asSystem('sweep', async (tx) => {
    const ids = await listOverdue(tx, before, SWEEP_BATCH);
    await queueInstalls(tx, ids);
    return ids.length;
  });
  if (found > 0) context.log.info({ found, capped: found === SWEEP_BATCH }, 'agent requests queued again');
}
