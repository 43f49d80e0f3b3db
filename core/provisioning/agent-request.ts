import { type AgentRequestKind, type AgentRequestStatus, DONE_REQUEST_STATUSES } from '@partner-portal/contract/vocabulary.ts';

/**
 * State machine of agent requests: a client suggests or a partner requests an agent, staff decide, the pipeline installs it.
 *
 *   suggested ──submit──► submitted          suggested ──decline──► declined
 *   submitted ──approve──► approved          submitted ──reject──► rejected        submitted ──cancel──► cancelled
 *   approved  ──start──► provisioning        (template: the job starts it, or staff start what was approved for later)
 *   approved  ──attach──► fulfilled          (custom: staff attach the workflow they built)
 *   approved  ──reject──► rejected           (it cannot be built, or is no longer wanted; while nothing waits to install it)
 *   provisioning ──succeeded──► fulfilled    provisioning ──failed──► provisioning_failed
 *   provisioning ──held──► approved          (another attempt holds the partner's instance: resumed by a job)
 *   provisioning_failed ──start──► provisioning   (staff retry, or a job once the missing credential is saved)
 *   provisioning_failed ──reject──► rejected
 *
 * Every other pair is refused. See docs/behaviour/agent-requests.md.
 */

export type AgentRequestTrigger =
  | 'submit'
  | 'decline'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'start'
  | 'attach'
  | 'succeeded'
  | 'failed'
  | 'held';

type Key = `${AgentRequestStatus}:${AgentRequestTrigger}`;

const SHARED: { readonly [key in Key]?: AgentRequestStatus } = {
  'suggested:submit': 'submitted',
  'suggested:decline': 'declined',
  'submitted:approve': 'approved',
  'submitted:reject': 'rejected',
  'submitted:cancel': 'cancelled',
};

const TRANSITIONS: { readonly [kind in AgentRequestKind]: { readonly [key in Key]?: AgentRequestStatus } } = {
  template: {
    ...SHARED,
    'approved:start': 'provisioning',
    'approved:reject': 'rejected',
    'provisioning:succeeded': 'fulfilled',
    'provisioning:failed': 'provisioning_failed',
    'provisioning:held': 'approved',
    'provisioning_failed:start': 'provisioning',
    'provisioning_failed:reject': 'rejected',
  },
  // Without a template there is nothing to install: staff build the workflow and attach it.
  custom: { ...SHARED, 'approved:attach': 'fulfilled', 'approved:reject': 'rejected' },
};

/** Returns the status after `trigger`; null when it is not allowed in `from`. */
export function nextAgentRequestStatus(
  kind: AgentRequestKind,
  from: AgentRequestStatus,
  trigger: AgentRequestTrigger,
): AgentRequestStatus | null {
  return TRANSITIONS[kind][`${from}:${trigger}`] ?? null;
}

/** Returns whether the status is final. */
export function isDone(status: AgentRequestStatus): boolean {
  return DONE_REQUEST_STATUSES.some((done) => done === status);
}
