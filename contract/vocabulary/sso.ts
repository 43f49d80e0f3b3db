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
  /** Invited, but the address has an account elsewhere. Shown to the person only; the agency sees `no_member`. */
  'account_elsewhere',
  'user_disabled',
] as const;
export type SsoProblem = (typeof SSO_PROBLEMS)[number];

/** `timed_out`: no one came back from the provider within five minutes; a later return still counts. */
export const SSO_TEST_STATUSES = ['in_progress', 'succeeded', 'failed', 'timed_out'] as const;
export type SsoTestStatus = (typeof SSO_TEST_STATUSES)[number];

/** Results of checking a provider's signature; see `SignatureVerdict`. */
export const SSO_VERDICTS = ['verified', 'key_unknown', 'altered', 'unsupported', 'weak', 'malformed'] as const;
