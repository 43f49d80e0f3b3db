/** Outbound domain events. */
export const EVENT_TYPES = [
  'agent_request.submitted',
  'agent_request.resolved',
  'agent_request.provisioning_failed',
  'deletion_request.submitted',
  'deletion_request.resolved',
  'account.suspended',
  'client_user.invited',
  'usage.threshold_crossed',
  'seat_purchase.completed',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a delivery ended without a 2xx. `gone` is only on deliveries of releases that did not retry after a 410. */
export const DELIVERY_REASONS = ['endpoint_inactive', 'private_address', 'gone', 'attempts_exhausted', 'cancelled'] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/** Why an attempt failed; explained in delivery-errors.ts. `interrupted` is a crash of ours: retried, and not counted up to three times. */
export const ATTEMPT_ERRORS = [
  'name_not_found',
  'connection_refused',
  'connection_failed',
  'tls_failed',
  'timeout',
  'redirect',
  'status',
  'private_address',
  'bad_address',
  'broken_answer',
  'interrupted',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

export const RECOVERY_STATUSES = ['running', 'completed', 'cancelled'] as const;
