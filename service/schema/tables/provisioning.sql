-- Setups of agencies in the engine.

-- The copy of a template that an agency's flows were imported from.
create table template_copy (
  partner_id       uuid not null references partner,
  template_name    text not null,
  template_version int not null,
  definition       jsonb not null,
  copied_at        timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
call fence('template_copy', null, 'select');

-- The setup of an agency in the engine.
create table automation_instance (
  partner_id         uuid primary key references partner,
  provider           text not null,
  status             text not null default 'unprovisioned' check (status in ('unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning')),
  tenancy_mode       text not null check (tenancy_mode in ('shared', 'project')),
  project_id         text,
  base_url           text,
  provisioned_at     timestamptz(3),
  last_error         text,
  error_public       text,
  -- Always null: no static engine key is stored.
  api_key_encrypted  text check (api_key_encrypted is null),
  current_attempt_id uuid,
  -- When the sweep may end a stuck provisioning or deprovisioning.
  due_at             timestamptz(3),
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now()
);
create index automation_instance_due on automation_instance (due_at) where due_at is not null;
-- Tenants may read these columns only; the others are internal.
call fence('automation_instance', null, 'select (partner_id, status, error_public, provisioned_at, current_attempt_id, updated_at)');

-- An attempt to set up, repair or remove the agents of an agency in the engine.
create table provisioning_attempt (
  id                uuid primary key default uuidv7(),
  partner_id        uuid not null references partner,
  number            int not null,
  mode              text not null check (mode in ('provision', 'repair', 'recreate', 'deprovision')),
  status            text not null default 'running' check (status in ('running', 'succeeded', 'failed', 'timed_out')),
  requested_by      uuid references app_user on delete set null,
  client_id         uuid references client,
  template_names    text[] not null default '{}',
  refresh_templates boolean not null default true,
  started_at        timestamptz(3) not null default now(),
  finished_at       timestamptz(3),
  error             text,
  error_public      text,
  unique (partner_id, number)
);
create index provisioning_attempt_partner on provisioning_attempt (partner_id, started_at desc);
-- Read by the sweep of stuck attempts every minute.
create index provisioning_attempt_running on provisioning_attempt (started_at) where status = 'running';
create index provisioning_attempt_user on provisioning_attempt (requested_by);
create index provisioning_attempt_client on provisioning_attempt (client_id);
call fence('provisioning_attempt', null, 'select (id, partner_id, number, mode, status, client_id, template_names, started_at, finished_at,
  error_public)');

-- A step of an attempt, in order.
create table provisioning_step (
  attempt_id   uuid not null references provisioning_attempt on delete cascade,
  partner_id   uuid not null references partner,
  "order"      int not null,
  name         text not null,
  stage        text not null,
  status       text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped')),
  started_at   timestamptz(3),
  finished_at  timestamptz(3),
  summary      text,
  warnings     text[] not null default '{}',
  error        text,
  error_public text,
  metadata     jsonb not null default '{}',
  primary key (attempt_id, "order")
);
create index provisioning_step_partner on provisioning_step (partner_id, attempt_id, "order");
call fence('provisioning_step', null, 'select (attempt_id, partner_id, "order", name, stage, status, started_at, finished_at)');

-- Whether an installed flow still matches its template, as of the last check.
create table workflow_drift (
  workflow_id      uuid primary key references workflow on delete cascade,
  partner_id       uuid not null references partner,
  state            text not null check (state in ('none', 'missing', 'changed', 'unchecked')),
  differences      jsonb not null default '[]',
  -- The flow that was checked; the result does not apply to another flow.
  provider_flow_id text not null,
  checked_at       timestamptz(3) not null default now(),
  -- Since when checks have found this flow missing or changed, also while one could not look at it; null for a flow in order.
  found_at         timestamptz(3)
);
create index workflow_drift_partner on workflow_drift (partner_id, workflow_id);
-- The work queue of staff: a few among all agents.
create index workflow_drift_found on workflow_drift (partner_id) where found_at is not null;
call fence('workflow_drift', null, 'select');
