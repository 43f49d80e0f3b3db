-- Log-out at the identity provider: whether a connection asks for it, where the provider takes it, and what each session needs for it.

alter table sso_connection
  add column logs_out boolean not null default false,
  add column idp_logout_url text,
  add column idp_logout_response_url text;
comment on column sso_connection.idp_logout_url is 'SingleLogoutService by HTTP-Redirect, or end_session_endpoint; null when the provider names none';
comment on column sso_connection.idp_logout_response_url is 'where its metadata wants responses, if elsewhere than requests';

-- What the provider needs to end its session. Kept while the session of the portal lasts, and only where the connection asks for it.
create table sso_session (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  jti uuid unique,
  subject_hash bytea,
  index_hash bytea,
  proof_sealed bytea not null,
  proof_key_id text not null,
  expires_at timestamptz(3) not null
);
comment on column sso_session.jti is 'the session of the portal; null until the one-time code is exchanged';
comment on column sso_session.subject_hash is 'of the name id, to find the sessions that the provider ends; null of OpenID Connect';
comment on column sso_session.index_hash is 'of the SessionIndex';
create index sso_session_subject on sso_session (partner_id, subject_hash);
create index sso_session_user on sso_session (user_id);
create index sso_session_expiry on sso_session (expires_at);
call fence('sso_session', null, 'select, delete');

alter table sso_code add column provider_session_id uuid;
comment on column sso_code.provider_session_id is 'its row of sso_session; it may be gone first';

-- Requests of providers to end sessions, while they would be accepted again.
create table sso_logout_request (
  partner_id uuid not null references partner,
  request_hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, request_hash)
);
create index sso_logout_request_expiry on sso_logout_request (expires_at);
call fence('sso_logout_request', null, 'select');
