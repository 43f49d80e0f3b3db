-- Agents that were deleted: their rows are gone, their flow and connections are still to leave the engine.

create table agent_removal (
  workflow_id uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  name text not null,
  template_name text not null,
  provider_flow_id text,
  requested_at timestamptz(3) not null default now(),
  due_at timestamptz(3) default now(),
  attempts int not null default 0,
  last_error text,
  ended_at timestamptz(3)
);
comment on column agent_removal.due_at is 'when somebody may go on with it (also the lease of who does); null once the engine holds nothing of it';
create index agent_removal_partner on agent_removal (partner_id, requested_at desc);
create index agent_removal_client on agent_removal (client_id);
create index agent_removal_due on agent_removal (due_at) where due_at is not null;
call fence('agent_removal', 'client_id', 'select');
