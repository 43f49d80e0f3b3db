export const AUDIT_RESULTS = ['ok', 'refused'] as const;

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

/** Owners of the key that an agent uses for a service. */
export const KEY_OWNERS = ['own', 'agency', 'platform', 'missing'] as const;
export type KeyOwner = (typeof KEY_OWNERS)[number];

/** Kinds of data that are kept for a limited time, or until the account ends. */
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

/** Kinds of entry in a client's access log: audit actions, opened data, and uses of its keys. */
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
  'conversation.given_back',
  'conversation.closed',
  'agent_request.fulfilled',
  'sample_data.removed',
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

/** Subjects of an access log entry: the business itself, its agency, staff of the platform, a person who has left, or no person. */
export const ACCESS_LOG_SIDES = ['you', 'agency', 'platform', 'former', 'service'] as const;
export type AccessLogSide = (typeof ACCESS_LOG_SIDES)[number];
