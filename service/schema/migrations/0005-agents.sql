-- Installed template copies and workflows. An agent is the user-facing view of a workflow row.

create table template_copy (
  partner_id uuid not null references partner,
  template_name text not null,
  template_version int not null,
  definition jsonb not null,
  copied_at timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
call fence('template_copy', null, 'select');

create table workflow (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  template_name text not null,
  template_version int,
  name text not null,
  description text not null default '',
  config jsonb not null default '{}',
  is_active boolean not null default true,
  client_can_pause boolean not null default false,
  credits_per_run int not null default 1,
  provider_flow_id text,
  last_run_at timestamptz(3),
  consecutive_failures int not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id, template_name)
);
comment on column workflow.template_version is 'the version that is installed; null until the first import';
create index workflow_partner on workflow (partner_id, created_at desc, id desc);
create index workflow_client on workflow (client_id);
call fence('workflow', 'client_id', 'select, insert, update, delete');

-- Last contact per person, and people who opted out: state that a flow cannot keep itself.
create table workflow_contact (
  partner_id uuid not null references partner,
  workflow_id uuid not null references workflow on delete cascade,
  contact text not null,
  last_at timestamptz(3) not null,
  primary key (partner_id, workflow_id, contact)
);
create index workflow_contact_workflow on workflow_contact (workflow_id);
call fence('workflow_contact', null, 'select');

create table opt_out (
  partner_id uuid not null references partner,
  client_id uuid references client,
  contact text not null,
  at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id, contact)
);
create index opt_out_client on opt_out (client_id);
call fence('opt_out', 'client_id', 'select');
