/**
 * All error codes. A use-case refuses with a code, a route lists the codes it may return, and the API document is generated from both.
 * See docs/behaviour/api-conventions.md.
 */
export const ERRORS = {
  malformed_json: { status: 400, title: 'The request body is not readable JSON' },
  invalid_cursor: { status: 400, title: 'This cursor is not valid for this list' },
  invalid_query: { status: 400, title: 'A query parameter was not accepted' },
  unauthenticated: { status: 401, title: 'Log in to continue' },
  token_expired: { status: 401, title: 'Your session has expired' },
  session_idle: { status: 401, title: 'You were away for too long' },
  invalid_credentials: { status: 401, title: 'Wrong e-mail or password' },
  invalid_mfa_code: { status: 401, title: 'That code is not correct' },
  mfa_challenge_expired: { status: 401, title: 'The login took too long' },
  mfa_attempts_exhausted: { status: 401, title: 'Too many wrong codes' },
  invalid_ingest_token: { status: 401, title: 'This ingest URL is not valid' },
  invalid_callback_token: { status: 401, title: 'This callback is not signed for this run' },
  quota_exceeded: { status: 402, title: 'No credits are free in this period' },
  chat_budget_exceeded: { status: 402, title: 'The budget of chatbots is used' },
  role_forbidden: { status: 403, title: 'Your role does not allow this' },
  partner_role_forbidden: { status: 403, title: 'Only an admin of your agency can do this' },
  scope_forbidden: { status: 403, title: 'You cannot set this parameter' },
  cannot_change_own_permission: { status: 403, title: 'You cannot change your own permission' },
  account_suspended: { status: 403, title: 'This account is suspended' },
  user_disabled: { status: 403, title: 'This user is disabled' },
  sso_required: { status: 403, title: 'Log in through your identity provider' },
  plan_feature_required: { status: 403, title: 'Your plan does not include this' },
  reauthentication_required: { status: 403, title: 'Confirm that it is you' },
  mfa_setup_required: { status: 403, title: 'Set up two-step login first' },
  view_as_read_only: { status: 403, title: 'This view is read-only' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'This address takes another method' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  webhook_limit_reached: { status: 409, title: 'The limit of webhook endpoints is reached' },
  seat_limit_reached: { status: 409, title: 'All seats are taken' },
  client_limit_reached: { status: 409, title: 'Your plan includes no more clients' },
  invalid_state: { status: 409, title: 'This is not possible right now' },
  provision_in_progress: { status: 409, title: 'Another setup is running' },
  workflow_inactive: { status: 409, title: 'This agent is switched off' },
  email_in_use: { status: 409, title: 'This address already has a user' },
  already_exists: { status: 409, title: 'This already exists' },
  sso_not_verified: { status: 409, title: 'The connection is not verified yet' },
  last_admin: { status: 409, title: 'An agency needs at least one admin' },
  media_limit_reached: { status: 409, title: 'The storage for files is full' },
  suggestion_limit_reached: { status: 409, title: 'Too many suggestions are pending' },
  already_pending: { status: 409, title: 'A request is already pending' },
  invitation_expired: { status: 410, title: 'This invitation has expired' },
  invitation_revoked: { status: 410, title: 'This invitation was revoked' },
  invitation_used: { status: 410, title: 'This invitation was already used' },
  reset_token_invalid: { status: 410, title: 'This reset link no longer works' },
  export_expired: { status: 410, title: 'This export has expired' },
  stale_record: { status: 412, title: 'Someone else has changed this in the meantime' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'This media type is not supported' },
  range_not_satisfiable: { status: 416, title: 'This range is outside the file' },
  validation_failed: { status: 422, title: 'Some fields need attention' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used with another body' },
  private_address: { status: 422, title: 'This address is not reachable from the internet' },
  source_mode_not_allowed: { status: 422, title: 'This service needs your own key' },
  not_a_stored_credential: { status: 422, title: 'This provider stores no key' },
  missing_input: { status: 422, title: 'The event lacks a value the agent needs' },
  invalid_input: { status: 422, title: 'A value of the event cannot be understood' },
  no_usable_key: { status: 422, title: 'No key of this provider is saved' },
  key_refused: { status: 422, title: 'The new key was not saved, and the one before stays in use' },
  ai_key_refused: { status: 422, title: 'The provider refused the key' },
  weak_password: { status: 422, title: 'Choose a stronger password' },
  rate_limited: { status: 429, title: 'Too many requests' },
  partner_throttled: { status: 429, title: 'Your agency sends too many requests' },
  internal_error: { status: 500, title: 'This request failed unexpectedly' },
  engine_unavailable: { status: 503, title: 'The automation platform did not answer' },
  ai_unavailable: { status: 503, title: 'The language model did not answer' },
  mail_unavailable: { status: 503, title: 'Mail cannot be sent right now' },
  took_too_long: { status: 503, title: 'This took too long and was stopped' },
  service_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One refused field of a 422 response. */
export type FieldError = { field: string; code: string; message: string };

/** The body of every error response: RFC 9457 problem details with members of our own. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  requestId: string;
  errors?: FieldError[];
  [extension: string]: unknown;
};
