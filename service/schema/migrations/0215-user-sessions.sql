-- Open sessions as their users see them: from which browser each was opened, and when it was last used. A row is kept until its token expires; whether the
-- session has ended before is in revoked_session and app_user.
create table user_session (
  jti uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  user_id uuid not null references app_user on delete cascade,
  auth_method text not null,
  address text not null,
  user_agent text not null,
  opened_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
comment on column user_session.address is 'of the last use, as is user_agent';
create index user_session_partner on user_session (partner_id, user_id);
create index user_session_client on user_session (client_id);
create index user_session_user on user_session (user_id);
create index user_session_expiry on user_session (expires_at);
call fence('user_session', 'client_id');
-- Tenants read and end their own sessions by functions alone.
revoke select on user_session from portal_tenant;
