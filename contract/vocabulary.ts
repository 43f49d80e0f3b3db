/**
 * The enumerations of the product. Schemas, rules and screens refer to these lists; columns repeat them as `check` constraints.
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

/** Result of comparing a flow with its template: equal, deleted, modified, or not readable from the engine. */
export const DRIFT_STATES = ['none', 'missing', 'changed', 'unchecked'] as const;

export const ROLLOUT_STATUSES = ['running', 'paused', 'stopped', 'completed'] as const;
export type RolloutStatus = (typeof ROLLOUT_STATUSES)[number];
export const ROLLOUT_PARTNER_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;

export const STEP_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const STAGE_KEYS = ['preparing', 'connecting', 'configuring_access', 'installing_workflows'] as const;
export type StageKey = (typeof STAGE_KEYS)[number];

/**
 * `RUNNING` ends as `SUCCEEDED` or `FAILED` by its report, or as `FAILED` by its timeout (`timeout`) or a refused dispatch
 * (`dispatch_failed`). A late report replaces `timeout` once and is marked `late`.
 */
export const EXECUTION_STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const EXECUTION_SOURCES = ['ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** Frequency of a schedule. */
export const SCHEDULE_UNITS = ['hour', 'day', 'week'] as const;
export type ScheduleUnit = (typeof SCHEDULE_UNITS)[number];
/** Outcome of a schedule's last due time. */
export const SCHEDULE_OUTCOMES = ['started', 'skipped', 'looked', 'failed'] as const;
export type ScheduleOutcome = (typeof SCHEDULE_OUTCOMES)[number];
/** What a schedule does for an agent: starts executions, plans one per booking, or none because the agent runs on events only. */
export const SCHEDULE_KINDS = ['run', 'bookings', 'events'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];
export const PLANNED_KINDS = ['reminder', 'nudge'] as const;
export const PLANNED_STATUSES = ['waiting', 'started', 'skipped', 'cancelled', 'missed'] as const;

export const INBOUND_OUTCOMES = ['accepted', 'refused'] as const;
export const AGENT_HEALTH = ['ok', 'failing', 'silent', 'paused', 'not_installed'] as const;
export type AgentHealth = (typeof AGENT_HEALTH)[number];

export const INVITATION_KINDS = ['owner', 'team', 'client_user'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];
export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export const EMAIL_STATUSES = ['sent', 'failed', 'not_configured'] as const;

/** Mail sent by the service itself. */
export const MAIL_KINDS = [
  'invitation',
  'password_reset',
  'password_changed',
  'mfa_reset',
  'mfa_enabled',
  'mfa_disabled',
  'recovery_codes_renewed',
  'application_received',
  'application_known_address',
  'application_approved',
  'application_rejected',
  'alert_opened',
  'alert_resolved',
  'webhook_failing',
  'sso_released',
  'account_suspended',
  'invoice_issued',
  'credit_note_issued',
  'invoice_reminder',
  'payment_past_due',
  'notification',
  'digest',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
/** `cancelled`: withdrawn before it was sent, because its link is no longer valid. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'not_configured', 'cancelled'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

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

export const PLAN_REQUEST_KINDS = ['signup', 'trial', 'change', 'custom'] as const;
export type PlanRequestKind = (typeof PLAN_REQUEST_KINDS)[number];
export const PLAN_REQUEST_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const;
export type PlanRequestStatus = (typeof PLAN_REQUEST_STATUSES)[number];
/** `expired`: the trial has ended. `cancelled`: ended with its period. */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'suspended', 'expired', 'cancelled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const ORDER_KINDS = ['seats', 'credits'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
export const ORDER_STATUSES = ['confirmed', 'invoiced', 'void'] as const;
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];
export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
/** `plan_credit`: the unused rest of a plan that was replaced. `credit_note`: a line of a credit note. */
export const INVOICE_LINE_KINDS = ['plan', 'seats', 'credits', 'plan_credit', 'credit_note'] as const;
export type InvoiceLineKind = (typeof INVOICE_LINE_KINDS)[number];
/** Kinds of items in the work queue. */
export const WORK_ITEM_KINDS = ['application', 'plan_request', 'agent_request', 'failed_setup', 'stuck_attempt'] as const;
export type WorkItemKind = (typeof WORK_ITEM_KINDS)[number];

export const SSO_PROTOCOLS = ['saml', 'oidc'] as const;
export type SsoProtocol = (typeof SSO_PROTOCOLS)[number];
/** Why a single sign-on login failed, as shown by /login/callback. */
export const SSO_PROBLEMS = [
  'not_available',
  'provider_refused',
  'provider_unreachable',
  'answer_not_valid',
  'too_busy',
  'expired',
  'email_not_verified',
  'email_outside_domains',
  'no_member',
  'user_disabled',
] as const;
export type SsoProblem = (typeof SSO_PROBLEMS)[number];

export const USAGE_KINDS = ['run', 'ai_tokens', 'purchase', 'grant', 'adjustment'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export const READINESS_STATES = ['ok', 'inherited', 'missing', 'failing'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

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
/** Why a delivery ended without a 2xx. */
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

export const ALERT_RULES = [
  'usage_threshold',
  'failure_streak',
  'agent_silent',
  'webhook_failing',
  'credential_invalid',
  'sso_certificate',
  'provisioning_failed',
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];
export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];
export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];
export const ALERT_SUBJECTS = ['usage', 'agent', 'webhook_endpoint', 'credential', 'sso_connection', 'automation_instance'] as const;
export type AlertSubjectType = (typeof ALERT_SUBJECTS)[number];

/** Notification types that users set preferences for. */
export const NOTIFICATION_TYPES = [
  'alert_opened',
  'alert_resolved',
  'usage_threshold',
  'agent_request_submitted',
  'agent_request_suggested',
  'agent_request_resolved',
  'agent_request_failed',
  'account_suspended',
  'payment_past_due',
  'invitation_accepted',
  'member_removed',
  'security',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
/** Visual tone of a notification; a resolved alert becomes `ok`. */
export const NOTIFICATION_TONES = ['ok', 'info', 'warn', 'bad'] as const;
export type NotificationTone = (typeof NOTIFICATION_TONES)[number];
/** Mail immediately, in the daily digest, or never. */
export const EMAIL_PACES = ['now', 'daily', 'off'] as const;
export type EmailPace = (typeof EMAIL_PACES)[number];

/** Published limits. Names end with their unit. */
export const LIMITS = {
  callerRequestsPerMinute: 100,
  registerRequestsPerMinute: 300,
  mfaVerifyRequestsPerMinute: 20,
  ingestRequestsPerMinute: 60,
  partnerRequestsPerMinute: 600,
  loginFailuresPerAddress: 10,
  loginFailureWindowMinutes: 15,
  invitationDays: 7,
  mfaChallengeMinutes: 5,
  mfaAttempts: 5,
  mfaFailuresPerHour: 30,
  /** A browser counts as known for this long after its last sign-in. */
  knownDeviceDays: 180,
  passwordResetMinutes: 60,
  passwordResetsPerEmail: 3,
  invitationMailsPerHour: 10,
  viewAsMinutes: 30,
  pageDefault: 25,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  previewBodyBytesMax: 65_536,
  /** A body whose sender has proved nothing yet. */
  unprovenBodyBytesMax: 16_384,
  /** Of an event, on every way in. */
  eventBytesMax: 262_144,
  /** The form that carries a SAML response: 128 Ki characters of XML in base64, in a form. */
  samlBodyBytesMax: 262_144,
  idempotencyHours: 24,
  bulkRerunMax: 200,
  queryRowsMax: 500,
  queryBodyBytesMax: 131_072,
  queryTimeoutMs: 10_000,
  inboundPreviewBytes: 2_048,
  seatsPerOrderMax: 500,
  packsPerOrderMax: 100,
  webhookEndpointsMax: 5,
  deliveriesListed: 50,
  deliveryAttemptsMax: 5,
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  slugLengthMin: 3,
  slugLengthMax: 40,
} as const;
