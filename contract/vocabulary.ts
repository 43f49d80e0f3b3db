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
export type ClientStatus = (typeof CLIENT_STATUSES)[number];
export const THEMES = ['system', 'light', 'dark'] as const;

// A file of its own: the login page loads it, and no other list.
export { LOCALES, type Locale } from './locales.ts';

export const AUDIT_RESULTS = ['ok', 'refused'] as const;

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
/** `held`: waits until staff send it (docs/behaviour/mail.md). */
export const EMAIL_STATUSES = ['sent', 'held', 'failed', 'not_configured'] as const;

/** Mail sent by the service itself. */
export const MAIL_KINDS = [
  'invitation',
  'password_reset',
  'password_changed',
  'mfa_reset',
  'signed_out',
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
  'domain_failing',
  'domain_stopped',
  'account_suspended',
  'invoice_issued',
  'credit_note_issued',
  'invoice_reminder',
  'payment_past_due',
  'account_request_decided',
  'export_ready',
  'conversation_handed_off',
  'conversation_waiting',
  'notification',
  'digest',
  'newsletter_confirm',
  'newsletter_subscribed',
  'report_ready',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
/** `cancelled`: withdrawn before it was sent, because its link is no longer valid. */
export const MAIL_STATUSES = ['queued', 'held', 'sent', 'failed', 'not_configured', 'cancelled'] as const;
/** Why mail to an address without an account waits: too much of it, or the sender’s name resembles a protected one. */
export const MAIL_HOLDS = ['cap', 'name'] as const;
export type MailHold = (typeof MAIL_HOLDS)[number];
export type MailStatus = (typeof MAIL_STATUSES)[number];

export const SUBSCRIBER_STATUSES = ['pending', 'confirmed', 'unsubscribed'] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

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
] as const;
export type WorkItemKind = (typeof WORK_ITEM_KINDS)[number];

/** Why reports of runs were refused, as they are counted for staff. */
export const REPORT_REFUSALS = ['bad_token', 'unknown_run', 'unreadable', 'invalid', 'too_large', 'rate_limited', 'unavailable'] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

/** Whose account a deletion, reactivation or export is about. */
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
export const FILE_PURPOSES = ['export', 'media', 'invoice', 'knowledge'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];
/** Logos and avatars are shown without a session, since mail and sign-in pages need them. */
export const MEDIA_PURPOSES = ['general', 'logo', 'avatar'] as const;
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number];
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Providers of language models. */
export const AI_PROVIDERS = ['openai', 'anthropic'] as const satisfies readonly Provider[];
export type AiProvider = (typeof AI_PROVIDERS)[number];
/** `proxy`: a call of a user. `preview`: of the settings page of a chatbot. */
export const AI_CALL_PURPOSES = ['proxy', 'chatbot', 'preview'] as const;
export type AiCallPurpose = (typeof AI_CALL_PURPOSES)[number];

export const CONVERSATION_STATUSES = ['open', 'handed_off', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];
export const MESSAGE_AUTHORS = ['visitor', 'bot', 'human'] as const;
export type MessageAuthor = (typeof MESSAGE_AUTHORS)[number];
/** Why a conversation waits for a person. `phrase`: a rule of the settings. `taken_over`: a person stepped in. */
export const HANDOFF_REASONS = ['visitor', 'unsure', 'phrase', 'quota', 'budget', 'failure', 'taken_over'] as const;
export type HandoffReason = (typeof HANDOFF_REASONS)[number];
/** The model chooses (`deciding`), an agent runs (`running`), the reply is written (`composing`). */
export const TURN_STATES = ['received', 'deciding', 'running', 'composing', 'done', 'failed'] as const;
export type TurnState = (typeof TURN_STATES)[number];
export const KNOWLEDGE_KINDS = ['profile', 'text', 'file'] as const;
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number];
export const KNOWLEDGE_STATUSES = ['pending', 'ready', 'failed'] as const;

export const SSO_PROTOCOLS = ['saml', 'oidc'] as const;
export type SsoProtocol = (typeof SSO_PROTOCOLS)[number];
/** Why a single sign-on login failed, as shown by /login/callback. */
export const SSO_PROBLEMS = [
  'not_available',
  'provider_refused',
  'provider_unreachable',
  'client_refused',
  'client_method_refused',
  'answer_not_valid',
  'answer_not_readable',
  'clock_differs',
  'key_unknown',
  'not_signed',
  'algorithm_not_accepted',
  'not_decrypted',
  'too_busy',
  'rate_limited',
  'service_unavailable',
  'expired',
  'tile_loop',
  'logout_refused',
  'email_missing',
  'email_not_verified',
  'email_outside_domains',
  'no_member',
  'user_disabled',
] as const;
export type SsoProblem = (typeof SSO_PROBLEMS)[number];
/** `timed_out`: no one came back from the provider within five minutes; a later return still counts. */
export const SSO_TEST_STATUSES = ['in_progress', 'succeeded', 'failed', 'timed_out'] as const;
export type SsoTestStatus = (typeof SSO_TEST_STATUSES)[number];
/** What became of a signature that a provider sent; see `SignatureVerdict`. */
export const SSO_VERDICTS = ['verified', 'key_unknown', 'altered', 'unsupported', 'weak', 'malformed'] as const;

/** `failing`: its record has been missing for days, so the host is no longer answered. */
export const DOMAIN_STATUSES = ['pending', 'verified', 'failing'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];
/**
 * What a check found wrong: no record, another value, several other values, no answer of the name servers, or the record is right and another
 * agency has proved the host before.
 */
export const DOMAIN_PROBLEMS = ['record_missing', 'wrong_value', 'several_values', 'no_answer', 'taken'] as const;
export type DomainProblem = (typeof DOMAIN_PROBLEMS)[number];

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

/**
 * How the connection to a SQL database is secured: without TLS, with a verified certificate, or with any certificate because the owner of the key chose
 * so, because a key of an earlier version was not tested yet, or because it failed its test.
 */
export const SQL_TLS_STATES = ['off', 'verified', 'not_verified', 'untested', 'failed'] as const;
export type SqlTlsState = (typeof SQL_TLS_STATES)[number];

export const ALERT_RULES = [
  'usage_threshold',
  'failure_streak',
  'agent_silent',
  'webhook_failing',
  'credential_invalid',
  'credential_unverified',
  'sso_certificate',
  'provisioning_failed',
  'chatbot_failing',
  'chatbot_budget',
  'first_contacts',
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];
export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];
export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];
export const ALERT_SUBJECTS = [
  'usage',
  'agent',
  'webhook_endpoint',
  'credential',
  'sso_connection',
  'automation_instance',
  'chatbot',
  'client',
] as const;
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
  'text_suggested',
  'text_suggestion_resolved',
  'account_suspended',
  'payment_past_due',
  'account_request',
  'account_request_resolved',
  'export_ready',
  'conversation_handed_off',
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

/** The first steps of an agency, in their order. */
export const ONBOARDING_KEYS = ['client', 'key', 'agent', 'sample', 'event', 'team', 'webhook'] as const;
export type OnboardingKey = (typeof ONBOARDING_KEYS)[number];
/** What an agency can do about its sample run. */
export const SAMPLE_STATES = [
  'no_client',
  'not_requested',
  'suggested',
  'submitted',
  'available',
  'installing',
  'failed',
  'paused',
  'ready',
] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];
/** Tables whose filters a user can save. */
export const FILTERED_TABLES = [
  'clients',
  'agents',
  'runs',
  'requests',
  'deliveries',
  'ledger',
  'audit',
  'partners',
  'users',
  'inbox',
  'alerts',
  'invoices',
  'mail',
  'subscribers',
  'imports',
] as const;
export type FilteredTable = (typeof FILTERED_TABLES)[number];

/** Whether a client can get a copy of an agent, and where the copy's settings come from. */
export const COPY_TARGET_STATES = ['ready', 'missing', 'has_agent', 'requested', 'not_allowed'] as const;
export const COPIED_FROM = ['given', 'profile', 'default', 'empty', 'source'] as const;
export const COPY_REASONS = ['given', 'of_one_client', 'names_the_source', 'local_time'] as const;
/** What became of one client of a call that requests an agent for many, and of one agent of a call that switches many. */
export const BULK_REQUEST_RESULTS = ['submitted', 'has_agent', 'requested', 'not_allowed'] as const;
export const BULK_SWITCH_RESULTS = ['changed', 'unchanged', 'not_found'] as const;
/**
 * Why runs of a month did not work, as a report says it. `unknown`: they are counted, but their records are no longer stored.
 */
export const REPORT_FAILURES = ['connection', 'provider', 'details', 'timeout', 'not_started', 'other', 'unknown'] as const;
export type ReportFailure = (typeof REPORT_FAILURES)[number];
/** Kinds of data about people and the business that an agent works with; declared by each template. */
export const DATA_KINDS = [
  'name',
  'phone_number',
  'email_address',
  'messages',
  'calls',
  'appointments',
  'quotes',
  'ratings',
  'business_figures',
] as const;
export type DataKind = (typeof DATA_KINDS)[number];
/** Whose key of a service an agent uses. */
export const KEY_OWNERS = ['own', 'agency', 'platform', 'missing'] as const;
export type KeyOwner = (typeof KEY_OWNERS)[number];
/** What is kept for a limited time, or until the account ends. */
export const RETAINED = [
  'run_contents',
  'run_list',
  'incoming_calls',
  'conversations',
  'access_log',
  'key_uses',
  'notifications',
  'deleted_account',
] as const;
export type Retained = (typeof RETAINED)[number];
/** Parts of a client's data that someone of its agency or the platform opened; recorded once per person and day. */
export const LOOK_KINDS = ['runs', 'conversations', 'exports'] as const;
export type LookKind = (typeof LOOK_KINDS)[number];
/** Lists over all clients of an agency that someone of it or the platform opened; recorded once per person and day for all of them. */
export const AGENCY_LOOK_KINDS = ['runs', 'run_exports', 'conversations', 'conversation_exports'] as const;
export type AgencyLookKind = (typeof AGENCY_LOOK_KINDS)[number];
/** What the access log of a client lists: audit actions, what was opened, and uses of its keys. */
export const ACCESS_LOG_KINDS = [
  'view_as.started',
  'account_export.requested',
  'account_export.downloaded',
  'client.changed',
  'agent.created',
  'agent.changed',
  'agent.deleted',
  'agent.paused',
  'agent.resumed',
  'workflow.triggered',
  'workflow.schedule_changed',
  'workflow.schedule_removed',
  'workflow.ingest_url_read',
  'credential.saved',
  'credential.deleted',
  'credential.tested',
  'chatbot.changed',
  'chatbot.knowledge_added',
  'chatbot.knowledge_removed',
  'conversation.taken_over',
  'conversation.replied',
  'invitation.created',
  'client_user.removed',
  'text_suggestion.created',
  'text_suggestion.applied',
  'text_suggestion.declined',
  'stop_list.added',
  'stop_list.removed',
  'look.runs',
  'look.conversations',
  'look.exports',
  'look.all_runs',
  'look.all_conversations',
  'key_used',
  'agency_key_used',
] as const;
export type AccessLogKind = (typeof ACCESS_LOG_KINDS)[number];
/** Who an entry of the access log is about: the business itself, its agency, staff of the platform, a person who has left, or no person. */
export const ACCESS_LOG_SIDES = ['you', 'agency', 'platform', 'former', 'service'] as const;
export type AccessLogSide = (typeof ACCESS_LOG_SIDES)[number];

/**
 * Why a contact is on the stop list: a word in a text, the field of the phone provider, an agent's own judgement (such as its language model's), or who
 * added it by hand.
 */
export const STOP_LIST_REASONS = ['word', 'provider', 'agent', 'agency', 'client'] as const;
export type StopListReason = (typeof STOP_LIST_REASONS)[number];

/** States of a change of an agent's text that its client suggests. */
export const TEXT_SUGGESTION_STATUSES = ['pending', 'applied', 'declined', 'withdrawn'] as const;
export type TextSuggestionStatus = (typeof TEXT_SUGGESTION_STATUSES)[number];

/** Fields that a column of an imported table may fill. The last five are of the business profile. */
export const CLIENT_IMPORT_FIELDS = [
  'name',
  'contactName',
  'contactEmail',
  'phone',
  'website',
  'timezone',
  'locale',
  'industry',
  'externalRef',
  'notes',
  'hours',
  'bookingUrl',
  'reviewUrl',
  'address',
  'faqText',
] as const;
export type ClientImportField = (typeof CLIENT_IMPORT_FIELDS)[number];
/** `all`: nothing is written when a row is refused; `valid`: every row that can be. */
export const CLIENT_IMPORT_MODES = ['all', 'valid'] as const;
export type ClientImportMode = (typeof CLIENT_IMPORT_MODES)[number];
export const CLIENT_IMPORT_OUTCOMES = ['created', 'updated', 'unchanged', 'refused'] as const;
export type ClientImportOutcome = (typeof CLIENT_IMPORT_OUTCOMES)[number];
/** What an undo did with a row: deleted its client, wrote former values back, or left the client as it is. */
export const CLIENT_IMPORT_UNDO = ['removed', 'restored', 'kept'] as const;
export type ClientImportUndo = (typeof CLIENT_IMPORT_UNDO)[number];
export const TABLE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TableEncoding = (typeof TABLE_ENCODINGS)[number];
export const TABLE_DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const;
export type TableDelimiter = (typeof TABLE_DELIMITERS)[number];

/** Published limits. Names end with their unit. */
export const LIMITS = {
  /** One statement of a page, and of an export or a change. */
  pageStatementMs: 8_000,
  workStatementMs: 12_000,
  /** A transaction as a whole may take so much longer than one of its statements. */
  transactionMoreMs: 2_000,
  callerRequestsPerMinute: 100,
  registerRequestsPerMinute: 300,
  mfaVerifyRequestsPerMinute: 20,
  /** A page shows many pictures, and a mail service fetches logos for many readers. */
  fileRequestsPerMinute: 1_200,
  ingestRequestsPerMinute: 60,
  /** Runs that users of a client start by hand: of one user, and of all users of a client. */
  clientTriggersPerMinute: 10,
  clientTriggersOfAllPerMinute: 20,
  clientTriggersOfAllPerHour: 120,
  partnerRequestsPerMinute: 600,
  loginFailuresPerAddress: 10,
  loginFailureWindowMinutes: 15,
  /** Failed passwords for one e-mail from anywhere: so many at once, and so many more that each come with a proof of work. */
  loginFailuresPerAccount: 40,
  loginProofsPerAccount: 60,
  /** Of these, from one network. */
  loginProofsPerNetwork: 2,
  loginProofMinutes: 5,
  /** Of one client, over all its agents. */
  pendingTextSuggestionsMax: 20,
  textSuggestionNoteMax: 1_000,
  /** A note or reason of the stop list. */
  stopListNoteMax: 500,
  invitationDays: 7,
  mfaChallengeMinutes: 5,
  mfaAttempts: 5,
  mfaFailuresPerHour: 30,
  /** How long a login, or a password entered again, allows changes of what protects an account. */
  recentLoginMinutes: 15,
  /** A browser counts as known for this long after its last sign-in. */
  knownDeviceDays: 180,
  passwordResetMinutes: 60,
  passwordResetsPerEmail: 3,
  /** Newsletter: mails to one address, and requests from one network address. */
  newsletterMailsPerDay: 3,
  newsletterRequestsPerHour: 20,
  invitationMailsPerHour: 10,
  domainChecksPerMinute: 10,
  viewAsMinutes: 30,
  pageDefault: 25,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  previewBodyBytesMax: 65_536,
  /** Reads of one call of `/reads`, and streams of one of `/streams`. */
  readsTogetherMax: 16,
  streamsTogetherMax: 8,
  innerPathMax: 6144,
  eventIdMax: 200,
  togetherBodyBytesMax: 131_072,
  /** A body whose sender has proved nothing yet. */
  unprovenBodyBytesMax: 16_384,
  /** Of an event, on every way in. */
  eventBytesMax: 262_144,
  /** The form that carries a SAML response: 128 Ki characters of XML in base64, in a form. */
  samlBodyBytesMax: 262_144,
  idempotencyHours: 24,
  bulkRerunMax: 200,
  bulkRequestMax: 100,
  bulkSwitchMax: 200,
  savedFiltersPerTable: 20,
  savedFilterNameMax: 60,
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
  mediaBytesMax: 5_242_880,
  mediaPixelsMax: 25_000_000,
  mediaBytesPerPartnerMax: 268_435_456,
  /** Of one visitor of a chatbot. */
  visitorMessagesPerMinute: 20,
  /** Of all visitors of a chatbot behind one address: each message may cost its agency credits. */
  addressMessagesPerDay: 600,
  chatbotMessagesPerMinute: 300,
  partnerMessagesPerMinute: 1_200,
  /** Agents that chatbots run: for one person, for the visitors behind one address, and for all of a chatbot. */
  chatRunsPerContactPerDay: 10,
  chatRunsPerAddressPerHour: 30,
  chatRunsPerChatbotPerHour: 120,
  /** Of a budget of conversations for one day. */
  chatDayCreditsMax: 1_000_000,
  visitorTextMax: 2_000,
  knowledgeTextMax: 200_000,
  knowledgeFileBytesMax: 5_242_880,
  knowledgeFilesMax: 20,
  agentRoutesMax: 20,
  aiMessagesMax: 100,
  aiTextMax: 200_000,
  aiOutputTokensMax: 8_192,
  aiCallsUnderWayPerPartner: 16,
  aiCallTimeoutMs: 60_000,
  conversationDays: 365,
  exportDays: 7,
  exportsPerDay: 5,
  /** Of an agency's own estimate of what one run saves. */
  hoursPerRunMax: 40,
  reportRecipientsMax: 200,
  importBytesMax: 4_194_304,
  importRowsMax: 5_000,
  importColumnsMax: 100,
  importUndoMinutes: 60,
  importDays: 90,
  reportsPerSendMax: 50,
  slugLengthMin: 3,
  slugLengthMax: 40,
} as const;
