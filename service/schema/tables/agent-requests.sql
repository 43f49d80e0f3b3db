-- Agent requests.

-- A request for an agent: who asked for which client, the decision, and the state of the installation.
create table agent_request (
  id                uuid primary key default uuidv7(),
  partner_id        uuid not null references partner,
  client_id         uuid not null references client,
  kind              text not null check (kind in ('template', 'custom')),
  template_name     text,
  title             text not null,
  description       text not null default '',
  config            jsonb not null default '{}',
  status            text not null check (status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed', 'fulfilled',
    'rejected', 'cancelled', 'declined')),
  origin            text not null check (origin in ('partner', 'client')),
  requested_by      uuid references app_user on delete set null,
  reviewed_by       uuid references app_user on delete set null,
  decision_note     text,
  workflow_id       uuid references workflow on delete set null,
  last_attempt_id   uuid references provisioning_attempt on delete set null,
  failure_message   text,
  -- Providers without a credential in the last attempt; saving one makes the request due.
  missing_providers text[] not null default '{}',
  timeline          jsonb not null default '[]',
  -- When its job may claim it, or check an installation that has not reported; null: waits for a person.
  due_at            timestamptz(3),
  -- Number of the installation; only the newest may write the result.
  run               int not null default 0,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  check ((kind = 'template') = (template_name is not null))
);
create index agent_request_partner on agent_request (partner_id, id desc);
create index agent_request_client on agent_request (client_id, id desc);
create index agent_request_requester on agent_request (requested_by);
create index agent_request_reviewer on agent_request (reviewed_by);
create index agent_request_workflow on agent_request (workflow_id);
create index agent_request_attempt on agent_request (last_attempt_id);
create index agent_request_due on agent_request (due_at) where due_at is not null;
create unique index agent_request_one_open on agent_request (client_id, template_name)
  where template_name is not null and status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed');
-- Lets a reconnecting event stream find the requests that changed meanwhile.
create index agent_request_changed on agent_request (partner_id, updated_at desc);
-- The count shown next to Requests in the navigation of every page.
create index agent_request_open on agent_request (partner_id)
  where status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed');
call fence('agent_request', 'client_id', 'select, insert, update');
