export const PARTNER_STATUSES = ['active', 'suspended', 'deleted'] as const;

export const CLIENT_STATUSES = ['active', 'suspended', 'archived', 'deleted'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** Members of a client's business profile. */
export const PROFILE_KEYS = ['hours', 'bookingUrl', 'reviewUrl', 'address', 'faqText'] as const;
export type ProfileKey = (typeof PROFILE_KEYS)[number];

export const NAME_REVIEW_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type NameReviewStatus = (typeof NAME_REVIEW_STATUSES)[number];

/** Kinds of items in the work queue. */
export const WORK_ITEM_KINDS = [
  'application',
  'plan_request',
  'agent_request',
  'deletion_request',
  'reactivation_request',
  'name_review',
  'failed_setup',
  'stuck_attempt',
  'drift',
] as const;
export type WorkItemKind = (typeof WORK_ITEM_KINDS)[number];

/** Kinds of account that a deletion, reactivation or export covers. */
export const ACCOUNT_SCOPES = ['partner', 'client'] as const;
export type AccountScope = (typeof ACCOUNT_SCOPES)[number];

export const SUSPENSION_CAUSES = ['manual', 'billing', 'policy', 'deletion_approved'] as const;
export type SuspensionCause = (typeof SUSPENSION_CAUSES)[number];

export const DELETION_REQUEST_STATUSES = ['pending', 'approved', 'completed', 'rejected', 'cancelled'] as const;
export type DeletionRequestStatus = (typeof DELETION_REQUEST_STATUSES)[number];

export const REACTIVATION_REQUEST_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type ReactivationRequestStatus = (typeof REACTIVATION_REQUEST_STATUSES)[number];

/** `waiting`: a step cannot run yet and is tried again. */
export const PURGE_STATUSES = ['running', 'waiting', 'completed'] as const;
export type PurgeStatus = (typeof PURGE_STATUSES)[number];

export const PURGE_STEP_STATUSES = ['pending', 'running', 'succeeded', 'waiting'] as const;
export type PurgeStepStatus = (typeof PURGE_STEP_STATUSES)[number];

/** In the order in which they run. */
export const PURGE_STEPS = ['tear_down_engine', 'destroy_key', 'delete_rows', 'delete_files', 'end_sessions', 'leave_tombstone'] as const;
export type PurgeStepName = (typeof PURGE_STEPS)[number];

export const EXPORT_STATUSES = ['pending', 'running', 'ready', 'expired', 'failed'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];
