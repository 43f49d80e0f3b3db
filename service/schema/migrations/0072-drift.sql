-- Drift: whether an installed flow still matches its template, as of the last check. One row per checked workflow.

create table workflow_drift (
  workflow_id uuid primary key references workflow on delete cascade,
  partner_id uuid not null references partner,
  state text not null check (state in ('none', 'missing', 'changed')),
  differences jsonb not null default '[]',
  provider_flow_id text not null,
  checked_at timestamptz(3) not null default now()
);
comment on column workflow_drift.provider_flow_id is 'the flow that was checked; the result does not apply to another flow';
create index workflow_drift_partner on workflow_drift (partner_id, workflow_id);
call fence('workflow_drift', null, 'select');
