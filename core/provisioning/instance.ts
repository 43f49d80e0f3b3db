import type { AttemptMode, InstanceStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * State machine of a partner's automation instance: one row, five states.
 *
 *   unprovisioned ──provision──► provisioning ──completed──► ready
 *   failed        ──provision──► provisioning ──failed─────► failed
 *   ready ──repair──► provisioning ──completed──► ready        (in place: provisionedAt is not stamped again)
 *   ready ──recreate──► provisioning ──completed──► ready      (torn down first, then built anew)
 *   ready ──deprovision──► deprovisioning ──completed──► unprovisioned
 *   failed ──deprovision──► deprovisioning ──failed──► failed  (cleans up after a teardown that failed)
 *   provisioning, deprovisioning ──timed_out──► failed         (the sweep; provision may be retried from failed)
 *   unprovisioned, failed, ready ──refused──► failed           (an attempt that ended before its claim, for example at the feature gate)
 *
 * Every other pair is refused: with `provision_in_progress` while an attempt holds the row, else with `invalid_state`.
 * See docs/behaviour/provisioning.md.
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

/**
 * Returns the status after `trigger`, or why it is refused. `mode` is the mode of the attempt that holds the row and matters only for
 * `completed`: provision and recreate set provisionedAt, a repair does not.
 */
export function transitionInstance(from: InstanceStatus, trigger: InstanceTrigger, mode: AttemptMode = 'provision'): InstanceTransition {
  const to = TRANSITIONS[`${from}:${trigger}`];
  if (to !== undefined) return { ok: true, to, stampsProvisionedAt: to === 'ready' && mode !== 'repair' };
  return { ok: false, code: isHeld(from) ? 'provision_in_progress' : 'invalid_state' };
}

/** Returns the statuses in which `trigger` is allowed, for the guard of the UPDATE that claims the row. */
export function statesThatAllow(trigger: InstanceTrigger): InstanceStatus[] {
  const states: InstanceStatus[] = ['unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning'];
  return states.filter((from) => TRANSITIONS[`${from}:${trigger}`] !== undefined);
}

/** Returns whether an attempt holds the row. */
export function isHeld(status: InstanceStatus): boolean {
  return status === 'provisioning' || status === 'deprovisioning';
}
