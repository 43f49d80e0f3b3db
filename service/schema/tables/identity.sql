-- Users, their sessions and second steps.

-- A person who logs in: staff of the portal (ADMIN), of an agency (PARTNER) or of a client (CLIENT).
create table app_user (
  id                  uuid primary key default uuidv7(),
  partner_id          uuid not null references partner,
  client_id           uuid references client,
  email               text not null unique check (email = lower(email)),
  full_name           text not null default '',
  role                text not null check (role in ('ADMIN', 'PARTNER', 'CLIENT')),
  partner_role        text check (partner_role in ('admin', 'moderator')),
  status              text not null default 'active' check (status in ('active', 'disabled')),
  password_hash       text,
  mfa_enabled         boolean not null default false,
  avatar_url          text,
  locale              text not null default 'en-US',
  timezone            text not null default 'UTC',
  theme               text not null default 'system' check (theme in ('system', 'light', 'dark')),
  sessions_valid_from timestamptz(3) not null default now(),
  last_login_at       timestamptz(3),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  -- Required of the admin who enforces single sign-on.
  last_sso_login_at   timestamptz(3),
  last_auth_method    text check (last_auth_method in ('password', 'password_mfa', 'saml', 'oidc')),
  -- References media, see media.sql.
  avatar_media_id     uuid,
  check ((role = 'CLIENT') = (client_id is not null)),
  check ((role = 'PARTNER') = (partner_role is not null))
);
create index app_user_partner on app_user (partner_id, created_at desc, id desc);
create index app_user_client on app_user (client_id);
create index app_user_avatar on app_user (avatar_media_id) where avatar_media_id is not null;
call fence('app_user', 'client_id', 'select, insert, update, delete');

-- Sessions that ended before their token expires. A row is kept until then.
create table revoked_session (
  jti        uuid primary key,
  expires_at timestamptz(3) not null
);
create index revoked_session_expiry on revoked_session (expires_at);
grant select, insert, delete on revoked_session to portal_system;

-- The authenticator app of a user. The row exists once its secret was shown and is in force once `enabled_at` is set.
create table user_mfa (
  user_id       uuid primary key references app_user on delete cascade,
  partner_id    uuid not null references partner,
  client_id     uuid references client,
  secret_sealed bytea not null,
  secret_key_id text not null,
  enabled_at    timestamptz(3),
  -- The newest 30-second step whose code was accepted; this and older codes are refused.
  last_step     bigint not null default 0,
  created_at    timestamptz(3) not null default now()
);
create index user_mfa_partner on user_mfa (partner_id);
create index user_mfa_client on user_mfa (client_id);
-- As mail_old_key.
create index user_mfa_old_key on user_mfa (user_id) where length(secret_key_id) <= 32;
call fence('user_mfa', 'client_id', 'select, insert, update, delete');

-- Recovery codes, shown once. Each has 80 random bits, so that a plain hash suffices.
create table mfa_recovery_code (
  id         uuid primary key default uuidv7(),
  user_id    uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id  uuid references client,
  code_hash  bytea not null,
  used_at    timestamptz(3),
  unique (user_id, code_hash)
);
create index mfa_recovery_code_partner on mfa_recovery_code (partner_id);
create index mfa_recovery_code_client on mfa_recovery_code (client_id);
call fence('mfa_recovery_code', 'client_id', 'select, insert, delete');

-- The step between a correct password and the code. The token carries only this id; attempts are counted here, across processes. It ends when the
-- user's sessions are revoked (sessions_valid_from).
create table mfa_challenge (
  id                  uuid primary key,
  user_id             uuid not null references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  wrong_codes         int not null default 0,
  used_at             timestamptz(3),
  expires_at          timestamptz(3) not null
);
create index mfa_challenge_user on mfa_challenge (user_id);
create index mfa_challenge_expiry on mfa_challenge (expires_at);
grant select, insert, update, delete on mfa_challenge to portal_system;

-- Requests to reset a password. A row is written for every address, known or not; a job finds the user.
create table password_reset_request (
  id         uuid primary key default uuidv7(),
  email      text not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, delete on password_reset_request to portal_system;

-- The link that resets a password: one per user, replaced by a newer one. It ends when the user's sessions are revoked, so that it cannot undo a
-- later change of the password.
create table password_reset (
  user_id             uuid primary key references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  token_hash          bytea not null unique,
  expires_at          timestamptz(3) not null
);
create index password_reset_expiry on password_reset (expires_at);
grant select, insert, update, delete on password_reset to portal_system;

-- A session in which someone sees the portal as another account: read-only, for half an hour, with a reason. `partner_id` and `client_id` are the
-- viewed account, so that it can list these sessions itself.
create table view_as_session (
  -- The jti of its token.
  id             uuid primary key,
  partner_id     uuid not null references partner,
  client_id      uuid references client,
  acting_user_id uuid not null references app_user on delete cascade,
  -- The session it was opened from; revoking that one ends this one.
  acting_jti     uuid not null,
  acting_email   text not null,
  -- Copied: the viewed account cannot read the viewer's user row.
  acting_name    text not null,
  reason         text not null,
  started_at     timestamptz(3) not null default now(),
  expires_at     timestamptz(3) not null,
  ended_at       timestamptz(3)
);
create index view_as_session_partner on view_as_session (partner_id, started_at desc, id desc);
create index view_as_session_client on view_as_session (client_id);
create index view_as_session_actor on view_as_session (acting_user_id);
call fence('view_as_session', 'client_id', 'select, insert, update');

-- Open sessions as their users see them: the browser that opened each, and its last use. A row is kept until its token expires; whether the session
-- has ended before is in revoked_session and app_user.
create table user_session (
  jti          uuid primary key,
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  user_id      uuid not null references app_user on delete cascade,
  auth_method  text not null,
  -- Address of the last use, as is user_agent.
  address      text not null,
  user_agent   text not null,
  opened_at    timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  -- When the user last entered the password again; null when not since the session was opened.
  proven_at    timestamptz(3)
);
create index user_session_partner on user_session (partner_id, user_id);
create index user_session_client on user_session (client_id);
create index user_session_user on user_session (user_id);
create index user_session_expiry on user_session (expires_at);
call fence('user_session', 'client_id');
-- Tenants read and end their own sessions by functions alone.
revoke select on user_session from portal_tenant;

-- References from tables that were created before.
alter table client_import add foreign key (created_by) references app_user on delete set null;
alter table client_import add foreign key (undone_by) references app_user on delete set null;
