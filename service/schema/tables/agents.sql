-- Agents.

-- An agent of an agency or of one of its clients, and the flow that it has in the engine.
create table workflow (
  id                   uuid primary key default uuidv7(),
  partner_id           uuid not null references partner,
  client_id            uuid references client,
  template_name        text not null,
  -- The version that is installed; null until the first import.
  template_version     int,
  name                 text not null,
  description          text not null default '',
  config               jsonb not null default '{}',
  is_active            boolean not null default true,
  client_can_pause     boolean not null default false,
  credits_per_run      int not null default 1,
  provider_flow_id     text,
  last_run_at          timestamptz(3),
  consecutive_failures int not null default 0,
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  -- For the index of silent agents; changes at most once a day, so that other updates of a row can stay in their page.
  last_run_day         date generated always as ((last_run_at at time zone 'UTC')::date) stored,
  -- For the index of failing agents; changes only when a streak begins or ends.
  has_failures         boolean not null generated always as (consecutive_failures > 0) stored,
  -- Location of an event's id, {"header": name} or {"input": name}; null: as its template says, or in the header of a known sender.
  event_id_from        jsonb check (jsonb_typeof(event_id_from) = 'object'),
  -- How its senders write dates such as 05/01/2027; null: as the country and language of the client say.
  date_order           text check (date_order in ('day_first', 'month_first')),
  -- When it was last switched on again, or its client or agency resumed; null: never since it was added.
  on_since             timestamptz(3),
  unique nulls not distinct (partner_id, client_id, template_name)
);
create index workflow_partner on workflow (partner_id, created_at desc, id desc);
create index workflow_client on workflow (client_id);
call fence('workflow', 'client_id', 'select, insert, update, delete');

-- A deleted agent whose flow and connections must still be removed from the engine.
create table agent_removal (
  workflow_id      uuid primary key,
  partner_id       uuid not null references partner,
  client_id        uuid references client,
  name             text not null,
  template_name    text not null,
  provider_flow_id text,
  requested_at     timestamptz(3) not null default now(),
  -- When the removal may continue (also the lease of its worker); null once nothing is left in the engine.
  due_at           timestamptz(3) default now(),
  attempts         int not null default 0,
  last_error       text,
  ended_at         timestamptz(3)
);
create index agent_removal_partner on agent_removal (partner_id, requested_at desc);
create index agent_removal_client on agent_removal (client_id);
create index agent_removal_due on agent_removal (due_at) where due_at is not null;
call fence('agent_removal', 'client_id', 'select');
