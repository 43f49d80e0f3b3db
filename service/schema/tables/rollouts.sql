-- Rollouts of template versions.

-- An update of all agencies to a version of a template, in batches.
create table rollout (
  id             uuid primary key default uuidv7(),
  template_name  text not null,
  target_version int not null,
  status         text not null default 'running' check (status in ('running', 'paused', 'stopped', 'completed')),
  batch_size     int not null check (batch_size between 1 and 20),
  requested_by   uuid references app_user on delete set null,
  -- When its next batch may start, or the last one should be checked; null: waits for a person or has ended.
  due_at         timestamptz(3) default now(),
  created_at     timestamptz(3) not null default now(),
  finished_at    timestamptz(3)
);
create unique index rollout_one_open on rollout (template_name) where status in ('running', 'paused');
create index rollout_due on rollout (due_at) where due_at is not null;
create index rollout_requester on rollout (requested_by);
grant select, insert, update on rollout to portal_system;

-- An agency of a rollout.
create table rollout_partner (
  rollout_id  uuid not null references rollout on delete cascade,
  partner_id  uuid not null references partner,
  status      text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped')),
  attempt_id  uuid references provisioning_attempt on delete set null,
  message     text,
  claimed_by  uuid,
  -- Earliest start; a busy agency is retried a minute later.
  due_at      timestamptz(3) not null default now(),
  started_at  timestamptz(3),
  finished_at timestamptz(3),
  primary key (rollout_id, partner_id)
);
create index rollout_partner_partner on rollout_partner (partner_id, rollout_id);
create index rollout_partner_attempt on rollout_partner (attempt_id);
call fence('rollout_partner', null, 'select (rollout_id, partner_id, status, started_at, finished_at)');
