import { type AttemptMode, INSTANCE_STATUSES, type InstanceStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * State machine of a partner's automation instance: one row, five states.
 *
 *   unprovisioned ──provision──► provisioning ──completed──► ready
 *   failed        ──provision──► provisioning ──failed─────► failed
 *   ready ──repair──► provisioning ──completed──► ready        (in place: provisionedAt is not stamped again)
 *   failed ──repair──► provisioning                            (only after a repair that failed: the agents are still installed)
 *   ready ──recreate──► provisioning ──completed──► ready      (torn down first, then rebuilt)
 *   ready ──deprovision──► deprovisioning ──completed──► unprovisioned
 *   failed ──deprovision──► deprovisioning ──failed──► failed  (cleans up after a teardown that failed)
 *   provisioning, deprovisioning ──timed_out──► failed         (the sweep; provision may be retried from failed)
 *   unprovisioned, failed, ready ──refused──► failed           (an attempt that ended before its claim, for example at the feature gate)
 *
 * Every other pair is refused: with `provision_in_progress` while an attempt holds the row, else with `invalid_state`.
 * Browser-safe. See docs/behaviour/provisioning.md.
 */

/** Requests by users and results of the pipeline. `refused`: an attempt failed before it claimed the instance. */
export type InstanceTrigger = AttemptMode | 'completed' | 'failed' | 'timed_out' | 'refused';

export type InstanceTransition =
  | { ok: true; to: InstanceStatus; stampsProvisionedAt: boolean }
  | { ok: false; code: 'provision_in_progress' | 'invalid_state' };

type Key = `${InstanceStatus}:${InstanceTrigger}`;

const TRANSITIONS: { readonly [key in Key]?: InstanceStatus } = {
  'unprovisioned:provision': 'provisioning',
  'failed:provision': 'provisioning',
  'ready:repair': 'provisioning',
  'ready:recreate': 'provisioning',
  'ready:deprovision': 'deprovisioning',
  'failed:deprovision': 'deprovisioning',
  'provisioning:completed': 'ready',
  'provisioning:failed': 'failed',
  'provisioning:timed_out': 'failed',
  'deprovisioning:completed': 'unprovisioned',
  'deprovisioning:failed': 'failed',
  'deprovisioning:timed_out': 'failed',
  'unprovisioned:refused': 'failed',
  'failed:refused': 'failed',
  'ready:refused': 'failed',
};

/** A repair removes nothing, so one that failed left every agent installed and can be made again (ADR 0071). */
const AFTER_REPAIR: typeof TRANSITIONS = { 'failed:repair': 'provisioning' };

const nextOf = (key: Key, mode: AttemptMode): InstanceStatus | undefined =>
  TRANSITIONS[key] ?? (mode === 'repair' ? AFTER_REPAIR[key] : undefined);

/**
 * Returns the status after `trigger`, or why it is refused. `mode` is the mode of the attempt that holds the row or held it last: provision and
 * recreate set provisionedAt when they are completed, a repair does not and may be repeated when it failed.
 */
export function transitionInstance(from: InstanceStatus, trigger: InstanceTrigger, mode: AttemptMode = 'provision'): InstanceTransition {
  const to = nextOf(`${from}:${trigger}`, mode);
  if (to !== undefined) return { ok: true, to, stampsProvisionedAt: to === 'ready' && mode !== 'repair' };
  return { ok: false, code: isHeld(from) ? 'provision_in_progress' : 'invalid_state' };
}

/** Returns the statuses in which `trigger` is allowed, for the guard of the UPDATE that claims the row. `mode` as above. */
export function statesThatAllow(trigger: InstanceTrigger, mode: AttemptMode = 'provision'): InstanceStatus[] {
  return INSTANCE_STATUSES.filter((from) => nextOf(`${from}:${trigger}`, mode) !== undefined);
}

/** The statuses in which an attempt holds the row, also for statements. */
export const HELD_STATUSES: readonly InstanceStatus[] = ['provisioning', 'deprovisioning'];

export function isHeld(status: InstanceStatus): boolean {
  return HELD_STATUSES.includes(status);
}
