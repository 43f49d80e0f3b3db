import type { AgentRequestKind, AgentRequestStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * The life of an agent request: somebody wants an agent for a client, the agency asks, staff decide, the pipeline installs.
 *
 *   suggested ──submit──► submitted          suggested ──decline──► declined
 *   submitted ──approve──► approved          submitted ──reject──► rejected        submitted ──cancel──► cancelled
 *   approved  ──start──► provisioning        (template: the job takes it up, or staff start what was approved for later)
 *   approved  ──attach──► fulfilled          (custom: staff attach the workflow they built)
 *   provisioning ──succeeded──► fulfilled    provisioning ──failed──► provisioning_failed
 *   provisioning ──held──► approved          (another attempt holds the agency's instance: it waits, and goes on by itself)
 *   provisioning_failed ──start──► provisioning   (staff retry, or by itself when the missing key is saved)
 *   provisioning_failed ──reject──► rejected
 *
 * Every other pair changes nothing. Source: product.md §4.4.
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

const MOVES: { readonly [kind in AgentRequestKind]: { readonly [key in Key]?: AgentRequestStatus } } = {
  template: {
    ...SHARED,
    'approved:start': 'provisioning',
    'provisioning:succeeded': 'fulfilled',
    'provisioning:failed': 'provisioning_failed',
    'provisioning:held': 'approved',
    'provisioning_failed:start': 'provisioning',
    'provisioning_failed:reject': 'rejected',
  },
  // There is no template to install from: staff build the workflow and attach it.
  custom: { ...SHARED, 'approved:attach': 'fulfilled' },
};

/** Where `trigger` leads from `from`; null when it leads nowhere. */
export function nextAgentRequestStatus(
  kind: AgentRequestKind,
  from: AgentRequestStatus,
  trigger: AgentRequestTrigger,
): AgentRequestStatus | null {
  return MOVES[kind][`${from}:${trigger}`] ?? null;
}

/** States in which a request still wants something of somebody: one such request per client and template. */
export const OPEN_STATUSES = [
  'suggested',
  'submitted',
  'approved',
  'provisioning',
  'provisioning_failed',
] as const satisfies readonly AgentRequestStatus[];

/** Whether nothing more can happen to it. */
export function isDone(status: AgentRequestStatus): boolean {
  return !OPEN_STATUSES.some((open) => open === status);
}
