-- Runs: accepted, dispatched, reported, metered. The hot path is three functions that take arrays and answer per item;
-- they are the one place where a statement crosses tenants (ARCHITECTURE, The hot path). Their plans are kept: planning them anew for each
-- batch would cost more than running them.

create table execution (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  workflow_id uuid not null,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCEEDED', 'FAILED')),
  source text not null check (source in ('ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test')),
  summary text not null,
  template_version int not null,
  credits_held int not null,
  credits_charged int not null default 0,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  due_at timestamptz(3) not null,
  error_code text,
  error_message text,
  error_step text,
  rerun_of uuid,
  late boolean not null default false,
  primary key (id)
) partition by range (id);
create index execution_partner on execution (partner_id, id desc);
create index execution_client on execution (partner_id, client_id, id desc);
create index execution_workflow on execution (workflow_id, id desc);
create index execution_failed on execution (partner_id, id desc) where status = 'FAILED';
create index execution_running on execution (due_at) where status = 'RUNNING';
call fence('execution', 'client_id');
call partition_by_month('execution');

-- What went in and what came out. Kept apart, because it is dropped after 90 days while the run stays. Its one index serves look-ups by
-- run (with the run's agency) and the fence: every further index is paid by each event.
create table execution_payload (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  input jsonb not null,
  output jsonb,
  steps jsonb,
  timed boolean not null default false,
  sender_address text,
  body_preview text,
  primary key (partner_id, id)
) partition by range (id);
comment on column execution_payload.timed is 'the steps carry the engine''s own times';
comment on column execution_payload.body_preview is 'what the inbound log shows of an accepted event, masked; like its sender shown for 14 days only';
call fence('execution_payload', 'client_id', 'select');
call partition_by_month('execution_payload', 90);

-- The inbound log: calls that made no run of their own. An event that did is told by its run, which spares it a row and an index entry here.
create table inbound_event (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  client_id uuid,
  workflow_id uuid not null,
  received_at timestamptz(3) not null default now(),
  outcome text not null check (outcome in ('accepted', 'refused')),
  reason text,
  status int not null,
  sender_address text,
  body_preview text,
  execution_id uuid,
  primary key (partner_id, workflow_id, id)
) partition by range (id);
call fence('inbound_event', 'client_id', 'select');
call partition_by_month('inbound_event', 14);

create table idempotency_key (
  partner_id uuid not null,
  scope text not null,
  key_hash bytea not null,
  execution_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (partner_id, scope, key_hash)
);
create index idempotency_key_age on idempotency_key (created_at);
call fence('idempotency_key', null);

-- Runs that the engine has not taken yet. A row leaves when the engine has answered (or when it may have).
create table dispatch (
  execution_id uuid primary key,
  partner_id uuid not null,
  workflow_id uuid not null,
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0,
  misses int not null default 0,
  contact text,
  claimed_by text,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now()
);
comment on column dispatch.misses is 'how often the engine said it knows no such flow: believed only after a few seconds, since a republish says so for a moment';
comment on column dispatch.contact is 'the person the event is about (E.164), for whom last contact and stop list are looked up';
create index dispatch_queue on dispatch (partner_id, due_at, execution_id);
create index dispatch_claims on dispatch (claimed_until) where claimed_until is not null;
call fence('dispatch', null);
grant select (execution_id, partner_id, created_at) on dispatch to portal_tenant;
