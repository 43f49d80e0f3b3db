import type { AttemptMode, InstanceStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * The automation instance of an agency: one row, five states.
 *
 *   unprovisioned ──provision──► provisioning ──completed──► ready
 *   failed        ──provision──► provisioning ──failed─────► failed
 *   ready ──repair──► provisioning ──completed──► ready        (in place: provisionedAt is not stamped again)
 *   ready ──recreate──► provisioning ──completed──► ready      (torn down first, then built anew)
 *   ready ──deprovision──► deprovisioning ──completed──► unprovisioned
 *   failed ──deprovision──► deprovisioning ──failed──► failed  (cleans up after a teardown that failed)
 *   provisioning, deprovisioning ──timed_out──► failed         (the reaper; the one state from which Provision may be retried)
 *   unprovisioned, failed, ready ──refused──► failed           (an attempt that ended before its claim, for example at the feature gate)
 *
 * Every other pair changes nothing. While an attempt holds the row, a request is answered `provision_in_progress`, any other
 * request that does not fit is `invalid_state`. Source: specification, Automation instance; product.md §4.1.
 */

/** What a person asks for, and what the pipeline reports. `refused`: an attempt failed before it had claimed the instance. */
export type InstanceTrigger = AttemptMode | 'completed' | 'failed' | 'timed_out' | 'refused';

export type InstanceTransition =
  | { ok: true; to: InstanceStatus; stampsProvisionedAt: boolean }
  | { ok: false; code: 'provision_in_progress' | 'invalid_state' };

type Key = `${InstanceStatus}:${InstanceTrigger}`;

const MOVES: { readonly [key in Key]?: InstanceStatus } = {
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
 * Where `trigger` leads from `from`. `mode` is the attempt that holds the row and matters only for `completed`: provision and
 * recreate stamp provisionedAt, a repair does not.
 */
export function transitionInstance(from: InstanceStatus, trigger: InstanceTrigger, mode: AttemptMode = 'provision'): InstanceTransition {
  const to = MOVES[`${from}:${trigger}`];
  if (to !== undefined) return { ok: true, to, stampsProvisionedAt: to === 'ready' && mode !== 'repair' };
  return { ok: false, code: isHeld(from) ? 'provision_in_progress' : 'invalid_state' };
}

/** The states from which `trigger` is allowed, for the guard of the one UPDATE that claims the row. */
export function statesThatAllow(trigger: InstanceTrigger): InstanceStatus[] {
  const states: InstanceStatus[] = ['unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning'];
  return states.filter((from) => MOVES[`${from}:${trigger}`] !== undefined);
}

/** Whether an attempt holds the row at the moment. */
export function isHeld(status: InstanceStatus): boolean {
  return status === 'provisioning' || status === 'deprovisioning';
}
