-- Deleted agents whose flow and connections must still be removed from the engine.

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
comment on column agent_removal.due_at is 'when the removal may continue (also the lease of its worker); null once nothing is left in the engine';
create index agent_removal_partner on agent_removal (partner_id, requested_at desc);
create index agent_removal_client on agent_removal (client_id);
create index agent_removal_due on agent_removal (due_at) where due_at is not null;
call fence('agent_removal', 'client_id', 'select');
