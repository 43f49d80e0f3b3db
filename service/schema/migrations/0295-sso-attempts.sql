-- What became of each test login, and the last failed logins of a team, for its admins.

create table sso_attempt (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  purpose text not null check (purpose in ('login', 'test')),
  status text not null check (status in ('in_progress', 'succeeded', 'failed', 'timed_out')),
  user_id uuid references app_user on delete cascade,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  outcome jsonb,
  check ((status = 'in_progress') = (ended_at is null)),
  check (purpose = 'test' or status = 'failed')
);
comment on column sso_attempt.user_id is 'the admin who runs a test; null of a login, whose person is not known';
comment on column sso_attempt.outcome is 'what arrived and why it was not accepted, as last_test of sso_connection';
create index sso_attempt_partner on sso_attempt (partner_id, purpose, id);
create index sso_attempt_user on sso_attempt (user_id);
create index sso_attempt_running on sso_attempt (started_at) where status = 'in_progress';
create index sso_attempt_ended on sso_attempt (ended_at);
call fence('sso_attempt', null, 'select, insert, delete');

alter table sso_test add column attempt_id uuid;
alter table sso_login add column attempt_id uuid;
comment on column sso_test.attempt_id is 'the record of this test; it may be gone first';
comment on column sso_login.attempt_id is 'the record of this test; null of a login';
