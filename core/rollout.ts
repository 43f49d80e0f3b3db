import type { RolloutStatus } from '@house/contract/vocabulary.ts';

/** How a roll-out goes on (product.md §5.11): batch after batch, until nobody is left or too much went wrong. Pure. */

/** So many failures mean that the template, not the agency, is at fault. */
export const FAILURES_MAX = 3;

export type RolloutCounts = { pending: number; running: number; succeeded: number; failed: number; skipped: number };

/** What follows a batch. A person's pause stands; failures count over the whole roll-out. */
export function afterBatch(status: RolloutStatus, counts: RolloutCounts): RolloutStatus {
  if (status === 'completed' || status === 'stopped') return status;
  if (counts.failed >= FAILURES_MAX) return 'stopped';
  if (counts.pending + counts.running === 0) return 'completed';
  return status;
}

/** What a person may do: hold a running one, let a held or stopped one go on. Anything else is refused. */
export function turnRollout(status: RolloutStatus, paused: boolean): RolloutStatus | null {
  if (paused) return status === 'running' || status === 'paused' ? 'paused' : null;
  return status === 'completed' ? null : 'running';
}
