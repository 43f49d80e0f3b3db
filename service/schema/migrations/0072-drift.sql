-- Whether what is installed in the engine still is what its template says, as the last look found it. One row per looked-at workflow.

create table workflow_drift (
  workflow_id uuid primary key references workflow on delete cascade,
  partner_id uuid not null references partner,
  state text not null check (state in ('none', 'missing', 'changed')),
  differences jsonb not null default '[]',
  provider_flow_id text not null,
  checked_at timestamptz(3) not null default now()
);
comment on column workflow_drift.provider_flow_id is 'the flow that was looked at: what was found of another one says nothing any more';
create index workflow_drift_partner on workflow_drift (partner_id, workflow_id);
call fence('workflow_drift', null, 'select');
