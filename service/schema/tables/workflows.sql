-- Schedules and planned runs.

-- When the service starts an agent, and what happened at the last due time. Kind "bookings" starts no run itself: it reads bookings and plans one run
-- per booking and lead time.
create table workflow_schedule (
  workflow_id       uuid primary key references workflow on delete cascade,
  partner_id        uuid not null references partner,
  every             text not null check (every in ('hour', 'day', 'week')),
  at                text not null check (at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  weekdays          int[] not null default '{}',
  timezone          text not null,
  enabled           boolean not null default true,
  -- The next due time; null while disabled.
  due_at            timestamptz(3),
  -- Worker that starts the execution of due_at; only it may write the outcome, and a change by a user clears it.
  claimed_by        uuid,
  claimed_until     timestamptz(3),
  last_due_at       timestamptz(3),
  last_outcome      text check (last_outcome in ('started', 'skipped', 'looked', 'failed')),
  last_reason       text,
  last_execution_id uuid,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  kind              text not null default 'run' check (kind in ('run', 'bookings')),
  -- Kind "bookings": number of reminders waiting after the last check.
  last_found        int,
  check (enabled = (due_at is not null))
);
create index workflow_schedule_partner on workflow_schedule (partner_id, workflow_id);
create index workflow_schedule_due on workflow_schedule (due_at) where due_at is not null;
call fence('workflow_schedule', null, 'select, insert, update, delete');

-- A run at one exact time: the reminder of a booking, or a follow-up that another run asked for.
create table planned_run (
  id            uuid primary key default uuidv7(),
  partner_id    uuid not null references partner,
  client_id     uuid references client,
  workflow_id   uuid not null references workflow on delete cascade,
  kind          text not null check (kind in ('reminder', 'nudge')),
  origin        text not null check (origin in ('bookings', 'run')),
  -- A booking or a quote; unique with due_at, so that its execution starts once.
  subject       text not null,
  label         text not null default '',
  due_at        timestamptz(3) not null,
  -- Latest start; later it is marked as missed.
  last_at       timestamptz(3) not null,
  input         jsonb not null,
  -- The execution that requested it, or the one whose answer cancelled it.
  asked_by      uuid,
  status        text not null default 'waiting' check (status in ('waiting', 'started', 'skipped', 'cancelled', 'missed')),
  reason        text,
  execution_id  uuid,
  -- When it may start: due_at, or later when it waits for credits; null once it has ended.
  try_at        timestamptz(3),
  claimed_by    uuid,
  claimed_until timestamptz(3),
  created_at    timestamptz(3) not null default now(),
  ended_at      timestamptz(3),
  unique (workflow_id, subject, due_at),
  check ((status = 'waiting') = (try_at is not null))
);
create index planned_run_partner on planned_run (partner_id, workflow_id, due_at);
create index planned_run_client on planned_run (client_id);
create index planned_run_due on planned_run (try_at) where try_at is not null;
create index planned_run_ended on planned_run (ended_at) where ended_at is not null;
call fence('planned_run', 'client_id', 'select, update');
