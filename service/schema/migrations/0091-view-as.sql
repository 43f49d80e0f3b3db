-- View-as sessions: read-only, for half an hour, with a reason; viewer and viewed account are recorded.

-- `partner_id` and `client_id` are the viewed account, so that it can list these sessions itself.
create table view_as_session (
  id uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  acting_user_id uuid not null references app_user on delete cascade,
  acting_jti uuid not null,
  acting_email text not null,
  acting_name text not null,
  reason text not null,
  started_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
comment on column view_as_session.id is 'the jti of its token';
comment on column view_as_session.acting_name is 'copied: the viewed account cannot read the viewer''s user row';
comment on column view_as_session.acting_jti is 'the session it was opened from; revoking that one ends this one';
create index view_as_session_partner on view_as_session (partner_id, started_at desc, id desc);
create index view_as_session_client on view_as_session (client_id);
create index view_as_session_actor on view_as_session (acting_user_id);
call fence('view_as_session', 'client_id', 'select, insert, update');
