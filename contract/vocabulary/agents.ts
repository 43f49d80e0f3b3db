export const AGENT_HEALTH = ['ok', 'failing', 'silent', 'paused', 'not_installed'] as const;
export type AgentHealth = (typeof AGENT_HEALTH)[number];

/** Categories of templates, as the catalog groups them: those that reach callers and customers directly come first. */
export const TEMPLATE_CATEGORIES = ['calls', 'appointments', 'leads', 'sales', 'inbox', 'reviews', 'reports'] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export const AGENT_REQUEST_KINDS = ['template', 'custom'] as const;
export type AgentRequestKind = (typeof AGENT_REQUEST_KINDS)[number];

/** Statuses of an open request: at most one per client and template. */
export const OPEN_REQUEST_STATUSES = ['suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed'] as const;
export type OpenRequestStatus = (typeof OPEN_REQUEST_STATUSES)[number];
/** Final statuses. */
export const DONE_REQUEST_STATUSES = ['fulfilled', 'rejected', 'cancelled', 'declined'] as const;
export const AGENT_REQUEST_STATUSES = [...OPEN_REQUEST_STATUSES, ...DONE_REQUEST_STATUSES] as const;
export type AgentRequestStatus = (typeof AGENT_REQUEST_STATUSES)[number];

export const AGENT_REQUEST_ORIGINS = ['partner', 'client'] as const;

/** Whether a client can get a copy of an agent, and where the copy's settings come from. */
export const COPY_TARGET_STATES = ['ready', 'missing', 'has_agent', 'requested', 'not_allowed'] as const;

export const COPIED_FROM = ['given', 'profile', 'default', 'empty', 'source'] as const;

export const COPY_REASONS = ['given', 'of_one_client', 'names_the_source', 'local_time', 'language'] as const;

/** Results for one client of a call that requests an agent for many, and for one agent of a call that switches many. */
export const BULK_REQUEST_RESULTS = ['submitted', 'has_agent', 'requested', 'not_allowed'] as const;

export const BULK_SWITCH_RESULTS = ['changed', 'unchanged', 'not_found'] as const;

/**
 * Why a contact is on the stop list: a word in a text, the field of the phone provider, an agent's own judgement (such as its language model's), or who
 * added it by hand.
 */
export const STOP_LIST_REASONS = ['word', 'provider', 'agent', 'agency', 'client'] as const;
export type StopListReason = (typeof STOP_LIST_REASONS)[number];

/** States of a change of an agent's text that its client suggests. */
export const TEXT_SUGGESTION_STATUSES = ['pending', 'applied', 'declined', 'withdrawn'] as const;
export type TextSuggestionStatus = (typeof TEXT_SUGGESTION_STATUSES)[number];
