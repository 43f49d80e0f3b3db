-- Planned runs: executions scheduled for one exact time, either reminders of bookings or follow-ups an execution requested.

-- A schedule of kind "bookings" starts no execution itself: it reads bookings and plans one run per booking and lead time.
alter table workflow_schedule add column kind text not null default 'run' check (kind in ('run', 'bookings'));
alter table workflow_schedule add column last_found int;
comment on column workflow_schedule.last_found is 'kind "bookings": number of reminders waiting after the last check';
alter table workflow_schedule drop constraint workflow_schedule_last_outcome_check;
alter table workflow_schedule add constraint workflow_schedule_last_outcome_check check (last_outcome in ('started', 'skipped', 'looked', 'failed'));

alter table credential_use drop constraint credential_use_purpose_check;
alter table credential_use add constraint credential_use_purpose_check
  check (purpose in ('bind_connection', 'test', 'run_query', 'preflight', 'read_bookings'));

create table planned_run (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  workflow_id uuid not null references workflow on delete cascade,
  kind text not null check (kind in ('reminder', 'nudge')),
  origin text not null check (origin in ('bookings', 'run')),
  subject text not null,
  label text not null default '',
  due_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  input jsonb not null,
  asked_by uuid,
  status text not null default 'waiting' check (status in ('waiting', 'started', 'skipped', 'cancelled', 'missed')),
  reason text,
  execution_id uuid,
  try_at timestamptz(3),
  claimed_by uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  unique (workflow_id, subject, due_at),
  check ((status = 'waiting') = (try_at is not null))
);
comment on column planned_run.subject is 'a booking or a quote; unique with due_at, so that its execution starts once';
comment on column planned_run.last_at is 'latest start; later it is marked as missed';
comment on column planned_run.asked_by is 'the execution that requested it, or the one whose answer cancelled it';
comment on column planned_run.try_at is 'when it may start: due_at, or later when it waits for credits; null once it has ended';
create index planned_run_partner on planned_run (partner_id, workflow_id, due_at);
create index planned_run_client on planned_run (client_id);
create index planned_run_due on planned_run (try_at) where try_at is not null;
create index planned_run_ended on planned_run (ended_at) where ended_at is not null;
call fence('planned_run', 'client_id', 'select, update');
