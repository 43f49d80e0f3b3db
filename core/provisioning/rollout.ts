import type { InstanceStatus, RolloutStatus } from '@partner-portal/contract/vocabulary.ts';

/** Decides how a rollout proceeds: batch by batch, until no partner is left or too many failed. See docs/behaviour/rollouts.md. */

/** Failures that stop a rollout: by then the template, not the partner, is likely at fault. */
export const ROLLOUT_FAILURES_MAX = 3;

export type RolloutCounts = { pending: number; running: number; succeeded: number; failed: number; skipped: number };

/** Returns the status after a batch. A pause is kept; failures count over the whole rollout. */
export function afterBatch(status: RolloutStatus, counts: RolloutCounts): RolloutStatus {
  if (status === 'completed' || status === 'stopped') return status;
  if (counts.failed >= ROLLOUT_FAILURES_MAX) return 'stopped';
  if (counts.pending + counts.running === 0) return 'completed';
  return status;
}

/** Returns the status after a user pauses or resumes; null when that is refused. A stopped rollout can be resumed. */
export function setRolloutPaused(status: RolloutStatus, paused: boolean): RolloutStatus | null {
  if (paused) return status === 'running' || status === 'paused' ? 'paused' : null;
  return status === 'completed' ? null : 'running';
}

export type RolloutPartnerFacts = {
  /** Null: never set up. */
  instance: InstanceStatus | null;
  /** It runs an older version of the template. */
  isOutdated: boolean;
  /** Its last failure was an attempt of this rollout. */
  isOwnFailure: boolean;
};

export type RolloutAction = { do: 'repair' | 'provision' | 'wait' } | { do: 'skip'; why: string };

/**
 * Returns what the rollout does for a partner. An instance that this rollout left failed (also by a crash) is provisioned again, since
 * a failed instance cannot be repaired; one that failed for another reason is skipped.
 */
export function nextRolloutAction({ instance, isOutdated, isOwnFailure }: RolloutPartnerFacts): RolloutAction {
  if (instance === 'provisioning') return { do: 'wait' };
  if (instance === 'failed')
    return isOwnFailure ? { do: 'provision' } : { do: 'skip', why: 'Its last setup failed outside this roll-out. Set it up first.' };
  if (instance !== 'ready') return { do: 'skip', why: 'Not set up.' };
  return isOutdated ? { do: 'repair' } : { do: 'skip', why: 'No agent of it runs an older version, archived clients aside.' };
}
