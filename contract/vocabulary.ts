/**
 * The words of the product, once. Everything else (schemas, tables, screens) is spelled with these lists.
 * Source: specification, Resources and States; product.md §3 and §4 for what the specification leaves open.
 */

export const ROLES = ['ADMIN', 'PARTNER', 'CLIENT'] as const;
export type Role = (typeof ROLES)[number];

export const PARTNER_ROLES = ['admin', 'moderator'] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];

export const AUTH_METHODS = ['password', 'password_mfa', 'saml', 'oidc', 'view_as'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const USER_STATUSES = ['active', 'disabled'] as const;
export const PARTNER_STATUSES = ['active', 'suspended', 'deleted'] as const;
export const CLIENT_STATUSES = ['active', 'suspended', 'archived', 'deleted'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;

export const PROVIDERS = ['openai', 'anthropic', 'calcom', 'resend', 'twilio', 'postgres', 'code'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const SOURCE_MODES = ['platform', 'byok'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

export const INSTANCE_STATUSES = ['unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning'] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];

export const TENANCY_MODES = ['shared', 'project'] as const;
export type TenancyMode = (typeof TENANCY_MODES)[number];

export const ATTEMPT_MODES = ['provision', 'repair', 'recreate', 'deprovision'] as const;
export type AttemptMode = (typeof ATTEMPT_MODES)[number];
export const ATTEMPT_STATUSES = ['running', 'succeeded', 'failed', 'timed_out'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** What a look at a flow in the engine found: it is as its template says, it is gone, or somebody changed it. */
export const DRIFT_STATES = ['none', 'missing', 'changed'] as const;

/** Source: product.md §5.11, roll-outs. */
export const ROLLOUT_STATUSES = ['running', 'paused', 'stopped', 'completed'] as const;
export type RolloutStatus = (typeof ROLLOUT_STATUSES)[number];
export const ROLLOUT_PARTNER_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;

export const STEP_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const STAGE_KEYS = ['preparing', 'connecting', 'configuring_access', 'installing_workflows'] as const;
export type StageKey = (typeof STAGE_KEYS)[number];

export const EXECUTION_STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const EXECUTION_SOURCES = ['ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** How often an agent runs by the service's clock (product.md §5.4). */
export const SCHEDULE_UNITS = ['hour', 'day', 'week'] as const;
export type ScheduleUnit = (typeof SCHEDULE_UNITS)[number];
/** What became of the last moment of a schedule. */
export const SCHEDULE_OUTCOMES = ['started', 'skipped'] as const;

export const INBOUND_OUTCOMES = ['accepted', 'refused'] as const;
export const AGENT_HEALTH = ['ok', 'failing', 'silent', 'paused', 'not_installed'] as const;
export type AgentHealth = (typeof AGENT_HEALTH)[number];

export const INVITATION_KINDS = ['owner', 'team', 'client_user'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];
export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export const EMAIL_STATUSES = ['sent', 'failed', 'not_configured'] as const;

/** Source: product.md §4.4, Agent request. */
export const AGENT_REQUEST_KINDS = ['template', 'custom'] as const;
export type AgentRequestKind = (typeof AGENT_REQUEST_KINDS)[number];
export const AGENT_REQUEST_STATUSES = [
  'suggested',
  'submitted',
  'approved',
  'provisioning',
  'provisioning_failed',
  'fulfilled',
  'rejected',
  'cancelled',
  'declined',
] as const;
export type AgentRequestStatus = (typeof AGENT_REQUEST_STATUSES)[number];
export const AGENT_REQUEST_ORIGINS = ['partner', 'client'] as const;

export const USAGE_KINDS = ['run', 'ai_tokens', 'purchase', 'grant', 'adjustment'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export const READINESS_STATES = ['ok', 'inherited', 'missing', 'failing'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

/** Outbound domain events. Source: specification, Events. */
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

/** Figures fixed by the specification (Limits) or by product.md §2.4. Names carry their unit. */
export const LIMITS = {
  callerRequestsPerMinute: 100,
  registerRequestsPerMinute: 300,
  mfaVerifyRequestsPerMinute: 20,
  ingestRequestsPerMinute: 60,
  partnerRequestsPerMinute: 600,
  loginFailuresPerAddress: 10,
  loginFailureWindowMinutes: 15,
  invitationDays: 7,
  pageDefault: 25,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  idempotencyHours: 24,
  bulkRerunMax: 200,
  queryRowsMax: 500,
  queryTimeoutMs: 10_000,
  executionTimeoutMinutesDefault: 30,
  inboundPreviewBytes: 2_048,
} as const;
