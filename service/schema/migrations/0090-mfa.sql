-- Multi-factor authentication and password reset.

-- One authenticator app per user. The row exists once its secret was shown and is in force once `enabled_at` is set.
create table user_mfa (
  user_id uuid primary key references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid references client,
  secret_sealed bytea not null,
  master_key_id text not null,
  enabled_at timestamptz(3),
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now()
);
comment on column user_mfa.last_step is 'the newest 30-second step whose code was accepted; this and older codes are refused';
create index user_mfa_partner on user_mfa (partner_id);
create index user_mfa_client on user_mfa (client_id);
create index user_mfa_master on user_mfa (master_key_id, user_id);
call fence('user_mfa', 'client_id', 'select, insert, update, delete');

-- Recovery codes, shown once. 80 random bits each, so that a plain hash suffices.
create table mfa_recovery_code (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid references client,
  code_hash bytea not null,
  used_at timestamptz(3),
  unique (user_id, code_hash)
);
create index mfa_recovery_code_partner on mfa_recovery_code (partner_id);
create index mfa_recovery_code_client on mfa_recovery_code (client_id);
call fence('mfa_recovery_code', 'client_id', 'select, insert, delete');

-- Challenge between a correct password and its code. The token carries only this id; attempts are counted here, across processes.
-- It ends when the user's sessions are revoked (sessions_valid_from).
create table mfa_challenge (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  wrong_codes int not null default 0,
  used_at timestamptz(3),
  expires_at timestamptz(3) not null
);
create index mfa_challenge_user on mfa_challenge (user_id);
create index mfa_challenge_expiry on mfa_challenge (expires_at);
grant select, insert, update, delete on mfa_challenge to portal_system;

-- Password reset requests. A row is written for every address, known or not; a job finds the user.
create table password_reset_request (
  id uuid primary key default uuidv7(),
  email text not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, delete on password_reset_request to portal_system;

-- Password reset links. One per user: a newer one replaces it. It ends when the user's sessions are revoked, so that it cannot undo a later
-- password change.
create table password_reset (
  user_id uuid primary key references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null
);
create index password_reset_expiry on password_reset (expires_at);
grant select, insert, update, delete on password_reset to portal_system;
