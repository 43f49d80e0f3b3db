-- Provisioning: the automation instance of a partner, its attempts and their steps.

create table automation_instance (
  partner_id uuid primary key references partner,
  provider text not null,
  status text not null default 'unprovisioned' check (status in ('unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning')),
  tenancy_mode text not null check (tenancy_mode in ('shared', 'project')),
  project_id text,
  base_url text,
  provisioned_at timestamptz(3),
  last_error text,
  error_public text,
  api_key_encrypted text check (api_key_encrypted is null),
  current_attempt_id uuid,
  due_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column automation_instance.api_key_encrypted is 'always null: no static engine key is stored';
comment on column automation_instance.due_at is 'when the sweep may end a stuck provisioning or deprovisioning';
create index automation_instance_due on automation_instance (due_at) where due_at is not null;
-- Tenants may read these columns only; the others are internal.
call fence('automation_instance', null, 'select (partner_id, status, error_public, provisioned_at, current_attempt_id, updated_at)');

create table provisioning_attempt (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  number int not null,
  mode text not null check (mode in ('provision', 'repair', 'recreate', 'deprovision')),
  status text not null default 'running' check (status in ('running', 'succeeded', 'failed', 'timed_out')),
  requested_by uuid references app_user on delete set null,
  client_id uuid references client,
  template_names text[] not null default '{}',
  refresh_templates boolean not null default true,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  error text,
  error_public text,
  unique (partner_id, number)
);
create index provisioning_attempt_partner on provisioning_attempt (partner_id, started_at desc);
-- Read by the sweep of stuck attempts every minute.
create index provisioning_attempt_running on provisioning_attempt (started_at) where status = 'running';
create index provisioning_attempt_user on provisioning_attempt (requested_by);
create index provisioning_attempt_client on provisioning_attempt (client_id);
call fence('provisioning_attempt', null, 'select (id, partner_id, number, mode, status, client_id, template_names, started_at, finished_at, error_public)');

create table provisioning_step (
  attempt_id uuid not null references provisioning_attempt on delete cascade,
  partner_id uuid not null references partner,
  "order" int not null,
  name text not null,
  stage text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped')),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  summary text,
  warnings text[] not null default '{}',
  error text,
  error_public text,
  metadata jsonb not null default '{}',
  primary key (attempt_id, "order")
);
create index provisioning_step_partner on provisioning_step (partner_id, attempt_id);
call fence('provisioning_step', null, 'select (attempt_id, partner_id, "order", name, stage, status, started_at, finished_at)');
