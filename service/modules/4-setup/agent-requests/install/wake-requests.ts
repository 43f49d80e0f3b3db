import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { queueInstalls } from './install-job.ts';
import { deleteOldKeys, holdInstalling, listOverdue, markWaitingDue, tellLacking } from './store-due.ts';

const SWEEP_BATCH = 500;
/** What became due this recently has its job still. */
const SWEEP_AFTER_MS = 20_000;

/**
 * A key was saved: requests that failed for want of it are looked at again. Called in the transaction that saves, so that none
 * is forgotten; whether all keys are there now is decided by the job, after the commit.
 */
export async function wakeRequests(
  deps: Pick<AgentRequestsDeps, 'clock'>,
  tx: Tx,
  slot: { partnerId: string; clientId: string | null; provider: string },
): Promise<void> {
  await holdInstalling(tx, slot);
  await queueInstalls(tx, await markWaitingDue(tx, slot, deps.clock.now()));
  await tellLacking(tx, slot);
}

/** Cron `agent-requests.sweep`: what is due and has no job any more, and keys that have had their day. */
export async function sweepRequests(deps: Pick<AgentRequestsDeps, 'db' | 'clock'>, context: JobContext): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - SWEEP_AFTER_MS);
  const found = await deps.db.asSystem('sweep', async (tx) => {
    const ids = await listOverdue(tx, before, SWEEP_BATCH);
    await queueInstalls(tx, ids);
    return ids.length;
  });
  if (found > 0) context.log.info({ found, capped: found === SWEEP_BATCH }, 'agent requests were queued again');
  while ((await deps.db.asSystem('sweep', (tx) => deleteOldKeys(tx, LIMITS.idempotencyHours, SWEEP_BATCH))) === SWEEP_BATCH);
}
