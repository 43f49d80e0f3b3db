-- Reruns of many failed runs: what was requested, and each original with what became of it. An original is in one request at a time.
create table rerun_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  workflow_id uuid not null,
  total int not null,
  audit jsonb not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
comment on column rerun_request.audit is 'who asked for it, as the audit entry of each rerun records it';
create index rerun_request_partner on rerun_request (partner_id, id desc);
create index rerun_request_open on rerun_request (partner_id, id) where finished_at is null;
call fence('rerun_request', null, 'select, insert, update, delete');

create table rerun_item (
  execution_id uuid primary key,
  partner_id uuid not null references partner,
  request_id uuid not null references rerun_request on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'started', 'refused')),
  reason text
);
create index rerun_item_partner on rerun_item (partner_id);
create index rerun_item_request on rerun_item (request_id, state, execution_id);
call fence('rerun_item', null, 'select, insert, update, delete');
