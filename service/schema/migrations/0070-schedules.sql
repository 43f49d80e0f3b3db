-- Schedules: when the service starts an agent, and the outcome of the last due time.

create table workflow_schedule (
  workflow_id uuid primary key references workflow on delete cascade,
  partner_id uuid not null references partner,
  every text not null check (every in ('hour', 'day', 'week')),
  at text not null check (at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  weekdays int[] not null default '{}',
  timezone text not null,
  enabled boolean not null default true,
  due_at timestamptz(3),
  claimed_by uuid,
  claimed_until timestamptz(3),
  last_due_at timestamptz(3),
  last_outcome text check (last_outcome in ('started', 'skipped')),
  last_reason text,
  last_execution_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (enabled = (due_at is not null))
);
comment on column workflow_schedule.due_at is 'the next due time; null while disabled';
comment on column workflow_schedule.claimed_by is 'worker that starts the execution of due_at; only it may write the outcome, and a change by a user clears it';
create index workflow_schedule_partner on workflow_schedule (partner_id, workflow_id);
create index workflow_schedule_due on workflow_schedule (due_at) where due_at is not null;
call fence('workflow_schedule', null, 'select, insert, update, delete');
