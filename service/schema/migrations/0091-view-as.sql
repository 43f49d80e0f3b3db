-- Looking through somebody else's eyes: read-only, for half an hour, with a reason. Both are on record: who looks, and at whom.

-- `partner_id` and `client_id` are whose view it is, so that those who were looked at may see it themselves.
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
comment on column view_as_session.acting_name is 'as it was then: those who were looked at cannot read the row of the one who looked';
comment on column view_as_session.acting_jti is 'the session it was opened from: signing that one out ends this one as well';
create index view_as_session_partner on view_as_session (partner_id, started_at desc, id desc);
create index view_as_session_client on view_as_session (client_id);
create index view_as_session_actor on view_as_session (acting_user_id);
call fence('view_as_session', 'client_id', 'select, insert, update');

-- As before, and for a session that looks as somebody else (acting_user is the person at the keyboard, who is then user_id
-- too) it asks two things: does that person still stand, and may they still see whom the session names.
