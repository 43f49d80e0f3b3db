-- Single sign-on: the connection of a partner, logins in progress, and the one-time codes exchanged for a session.

create table sso_connection (
  partner_id uuid primary key references partner,
  protocol text not null check (protocol in ('saml', 'oidc')),
  status text not null default 'draft' check (status in ('draft', 'verified')),
  enforced boolean not null default false,
  email_domains text[] not null,
  issuer text,
  oidc_client_id text,
  client_secret_sealed bytea,
  secret_key_id text,
  metadata_url text,
  idp_entity_id text,
  idp_sso_url text,
  idp_certificates text[],
  certificate_expires_at timestamptz(3),
  metadata_read_at timestamptz(3),
  metadata_problem text,
  configured_at timestamptz(3) not null default now(),
  verified_at timestamptz(3),
  last_login_at timestamptz(3),
  last_test jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (not enforced or status = 'verified'),
  check ((protocol = 'oidc') = (issuer is not null and oidc_client_id is not null and client_secret_sealed is not null)),
  check ((protocol = 'saml') = (metadata_url is not null))
);
comment on column sso_connection.configured_at is 'when its values were last written; an earlier verification does not count';
comment on column sso_connection.last_test is 'result of the last test login, shown to the user who set it up';
create index sso_connection_metadata on sso_connection (metadata_read_at) where protocol = 'saml';
create index sso_connection_key on sso_connection (secret_key_id, partner_id) where secret_key_id is not null;
call fence('sso_connection', null, 'select, insert, update, delete');

-- Logins in progress. Each can be completed once, with its state, in the browser that started it.
create table sso_login (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  purpose text not null check (purpose in ('login', 'test')),
  test_user_id uuid references app_user on delete cascade,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  configured_at timestamptz(3) not null,
  nonce text,
  code_verifier text,
  saml_request_id text,
  return_to text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
comment on column sso_login.configured_at is 'copied from the connection; a response is refused when the connection changed meanwhile';
create index sso_login_partner on sso_login (partner_id);
create index sso_login_tester on sso_login (test_user_id);
create index sso_login_expiry on sso_login (expires_at);
call fence('sso_login', null, 'select');

-- Codes the portal exchanges for a session: valid once, for sixty seconds, in the same browser.
create table sso_code (
  code_hash bytea primary key,
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  auth_method text not null check (auth_method in ('saml', 'oidc')),
  browser_hash bytea not null,
  expires_at timestamptz(3) not null
);
create index sso_code_partner on sso_code (partner_id);
create index sso_code_user on sso_code (user_id);
create index sso_code_expiry on sso_code (expires_at);
call fence('sso_code', null, 'select');

-- Links that start a test login: valid once, for ten minutes.
create table sso_test (
  token_hash bytea primary key,
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  expires_at timestamptz(3) not null
);
create index sso_test_partner on sso_test (partner_id);
create index sso_test_user on sso_test (user_id);
create index sso_test_expiry on sso_test (expires_at);
call fence('sso_test', null, 'select, insert');

-- Last login through single sign-on; required of the admin who enforces it.
alter table app_user add column last_sso_login_at timestamptz(3);
