-- Single sign-on: connections, logins in progress, and the sessions at identity providers.

-- The identity provider of an agency.
create table sso_connection (
  partner_id              uuid primary key references partner,
  protocol                text not null check (protocol in ('saml', 'oidc')),
  status                  text not null default 'draft' check (status in ('draft', 'verified')),
  enforced                boolean not null default false,
  email_domains           text[] not null,
  issuer                  text,
  oidc_client_id          text,
  client_secret_sealed    bytea,
  secret_key_id           text,
  -- Null for metadata that an admin pasted, which is not read again.
  metadata_url            text,
  idp_entity_id           text,
  idp_sso_url             text,
  -- Each certificate is tried on a signature: at most five, each once.
  idp_certificates        text[],
  certificate_expires_at  timestamptz(3),
  metadata_read_at        timestamptz(3),
  metadata_problem        text,
  -- When its values were last written; an earlier verification does not count.
  configured_at           timestamptz(3) not null default now(),
  verified_at             timestamptz(3),
  last_login_at           timestamptz(3),
  -- Result of the last test login, shown to the user who set it up.
  last_test               jsonb,
  created_at              timestamptz(3) not null default now(),
  updated_at              timestamptz(3) not null default now(),
  -- An admin accepts addresses that the provider does not say are verified.
  vouches_for_emails      boolean not null default false,
  allows_sha1             boolean not null default false,
  signs_requests          boolean not null default false,
  -- The metadata says that requests must be signed.
  idp_wants_signed        boolean not null default false,
  metadata_valid_until    timestamptz(3),
  -- When a failing login last had the metadata read, which happens once a minute at most.
  metadata_tried_at       timestamptz(3),
  -- Base64 DER of the certificate whose key signs requests and decrypts assertions.
  own_certificate         text,
  own_key_sealed          bytea,
  own_key_id              text,
  -- In the metadata already; replaces the other one when an admin says so.
  next_certificate        text,
  next_key_sealed         bytea,
  next_key_id             text,
  logs_out                boolean not null default false,
  -- SingleLogoutService by HTTP-Redirect, or end_session_endpoint; null when the provider names none.
  idp_logout_url          text,
  -- Where its metadata wants responses, if elsewhere than requests.
  idp_logout_response_url text,
  check (not enforced or status = 'verified'),
  check ((protocol = 'oidc') = (issuer is not null and oidc_client_id is not null and client_secret_sealed is not null)),
  check (cardinality(idp_certificates) <= 5),
  constraint sso_connection_own_key check (num_nulls(own_certificate, own_key_sealed, own_key_id) in (0, 3)),
  constraint sso_connection_next_key check (num_nulls(next_certificate, next_key_sealed, next_key_id) in (0, 3)),
  constraint sso_connection_next_after_own check (next_certificate is null or own_certificate is not null),
  constraint sso_connection_saml check ((protocol = 'saml') = (metadata_url is not null or idp_entity_id is not null))
);
create index sso_connection_metadata on sso_connection (metadata_read_at) where protocol = 'saml';
-- As mail_old_key.
create index sso_connection_old_key on sso_connection (partner_id) where length(secret_key_id) <= 32;
call fence('sso_connection', null, 'select, insert, update, delete');

-- A login in progress. It can be completed once, with its state, in the browser that started it.
create table sso_login (
  id              uuid primary key default uuidv7(),
  partner_id      uuid not null references partner,
  purpose         text not null check (purpose in ('login', 'test')),
  test_user_id    uuid references app_user on delete cascade,
  state_hash      bytea not null unique,
  browser_hash    bytea not null,
  -- Copied from the connection; a response is refused when the connection changed meanwhile.
  configured_at   timestamptz(3) not null,
  nonce           text,
  code_verifier   text,
  saml_request_id text,
  return_to       text,
  expires_at      timestamptz(3) not null,
  used_at         timestamptz(3),
  -- The record of this test; null for a login.
  attempt_id      uuid
);
create index sso_login_partner on sso_login (partner_id);
create index sso_login_tester on sso_login (test_user_id);
create index sso_login_expiry on sso_login (expires_at);
call fence('sso_login', null, 'select');

-- A code that the portal exchanges for a session: valid once, for sixty seconds, in the same browser.
create table sso_code (
  code_hash           bytea primary key,
  partner_id          uuid not null references partner,
  user_id             uuid not null references app_user on delete cascade,
  auth_method         text not null check (auth_method in ('saml', 'oidc')),
  browser_hash        bytea not null,
  expires_at          timestamptz(3) not null,
  -- SessionNotOnOrAfter of the assertion.
  session_until       timestamptz(3),
  -- Its row of sso_session; it may be gone first.
  provider_session_id uuid
);
create index sso_code_partner on sso_code (partner_id);
create index sso_code_user on sso_code (user_id);
create index sso_code_expiry on sso_code (expires_at);
call fence('sso_code', null, 'select');

-- A link that starts a test login: valid once, for ten minutes.
create table sso_test (
  token_hash bytea primary key,
  partner_id uuid not null references partner,
  user_id    uuid not null references app_user on delete cascade,
  expires_at timestamptz(3) not null,
  -- The record of this test; it may be gone first.
  attempt_id uuid
);
create index sso_test_partner on sso_test (partner_id);
create index sso_test_user on sso_test (user_id);
create index sso_test_expiry on sso_test (expires_at);
call fence('sso_test', null, 'select, insert');

-- Test logins and failed logins through an identity provider, shown to the agency's admins.
create table sso_attempt (
  id         uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  purpose    text not null check (purpose in ('login', 'test')),
  status     text not null check (status in ('in_progress', 'succeeded', 'failed', 'timed_out')),
  -- The admin who runs a test; null for a login, whose person is not known.
  user_id    uuid references app_user on delete cascade,
  started_at timestamptz(3) not null,
  ended_at   timestamptz(3),
  -- The response and why it was not accepted, as in last_test of sso_connection.
  outcome    jsonb,
  check ((status = 'in_progress') = (ended_at is null)),
  check (purpose = 'test' or status = 'failed')
);
create index sso_attempt_partner on sso_attempt (partner_id, purpose, id);
create index sso_attempt_user on sso_attempt (user_id);
create index sso_attempt_running on sso_attempt (started_at) where status = 'in_progress';
create index sso_attempt_ended on sso_attempt (ended_at);
call fence('sso_attempt', null, 'select, insert, delete');

-- The data that an identity provider needs to end its session. Kept while the session of the portal lasts, and only where the connection asks for it.
create table sso_session (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  user_id      uuid not null references app_user on delete cascade,
  -- The session of the portal; null until the one-time code is exchanged.
  jti          uuid unique,
  -- Hash of the name id, which finds the sessions that the provider ends; null with OpenID Connect.
  subject_hash bytea,
  -- Hash of the SessionIndex.
  index_hash   bytea,
  proof_sealed bytea not null,
  proof_key_id text not null,
  expires_at   timestamptz(3) not null
);
create index sso_session_subject on sso_session (partner_id, subject_hash);
create index sso_session_user on sso_session (user_id);
create index sso_session_expiry on sso_session (expires_at);
call fence('sso_session', null, 'select, delete');

-- Requests of identity providers to end sessions, kept while they would be accepted again.
create table sso_logout_request (
  partner_id   uuid not null references partner,
  request_hash bytea not null,
  expires_at   timestamptz(3) not null,
  primary key (partner_id, request_hash)
);
create index sso_logout_request_expiry on sso_logout_request (expires_at);
call fence('sso_logout_request', null, 'select');
