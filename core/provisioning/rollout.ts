import type { InstanceStatus, RolloutStatus } from '@partner-portal/contract/vocabulary.ts';

/** How a roll-out goes on (product.md §5.11): batch after batch, until nobody is left or too much went wrong. Pure. */

/** So many failures mean that the template, not the agency, is at fault. */
export const ROLLOUT_FAILURES_MAX = 3;

export type RolloutCounts = { pending: number; running: number; succeeded: number; failed: number; skipped: number };

/** What follows a batch. A person's pause stands; failures count over the whole roll-out. */
export function afterBatch(status: RolloutStatus, counts: RolloutCounts): RolloutStatus {
  if (status === 'completed' || status === 'stopped') return status;
  if (counts.failed >= ROLLOUT_FAILURES_MAX) return 'stopped';
  if (counts.pending + counts.running === 0) return 'completed';
  return status;
}

/** What a person may do: hold a running one, let a held or stopped one go on. Anything else is refused. */
export function setRolloutPaused(status: RolloutStatus, paused: boolean): RolloutStatus | null {
  if (paused) return status === 'running' || status === 'paused' ? 'paused' : null;
  return status === 'completed' ? null : 'running';
}

export type RolloutPartnerFacts = {
  /** Null: it never was set up. */
  instance: InstanceStatus | null;
  /** It runs an older version of the template. */
  isOutdated: boolean;
  /** What left it failed was an attempt of this roll-out. */
  isOwnFailure: boolean;
};

export type RolloutAction = { do: 'repair' | 'provision' | 'wait' } | { do: 'skip'; why: string };

/**
 * What its turn brings an agency. One that this roll-out left failed (also when its process died in the middle) is set up again, since
 * a failed agency cannot be repaired; one that failed by somebody else's hand is theirs to set up.
 */
export function nextRolloutAction({ instance, isOutdated, isOwnFailure }: RolloutPartnerFacts): RolloutAction {
  if (instance === 'provisioning') return { do: 'wait' };
  if (instance === 'failed')
    return isOwnFailure ? { do: 'provision' } : { do: 'skip', why: 'Its last setup failed, and not in this roll-out. Set it up first.' };
  if (instance !== 'ready') return { do: 'skip', why: 'Not set up.' };
  return isOutdated ? { do: 'repair' } : { do: 'skip', why: 'It runs the newest version by now.' };
}
