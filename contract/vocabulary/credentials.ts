export const PROVIDERS = ['openai', 'anthropic', 'calcom', 'resend', 'twilio', 'postgres', 'code'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const SOURCE_MODES = ['platform', 'byok'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

export const READINESS_STATES = ['ok', 'inherited', 'missing', 'failing'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

/**
 * How the connection to a SQL database is secured: without TLS, with a verified certificate, or with any certificate because the owner of the key chose
 * so, because a key of an earlier version was not tested yet, or because it failed its test.
 */
export const SQL_TLS_STATES = ['off', 'verified', 'not_verified', 'untested', 'failed'] as const;
export type SqlTlsState = (typeof SQL_TLS_STATES)[number];
