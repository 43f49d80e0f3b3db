-- Executions and their payloads, the inbound log, idempotency keys and the dispatch queue.

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

-- Input and output. A separate table because it is dropped after 90 days while the execution remains. Its only index serves lookups by
-- execution and the tenant policy: each further index would slow every ingest call.
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
comment on column execution_payload.body_preview is 'masked body for the inbound log; shown, like the sender, for 14 days';
call fence('execution_payload', 'client_id', 'select');
call partition_by_month('execution_payload', 90);

-- Inbound log: calls that created no execution. Accepted calls are listed from their execution, which saves a row here.
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

-- Queue of executions to be sent to the engine. A row is deleted once the engine has accepted it, or may have.
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
comment on column dispatch.misses is 'times the engine reported an unknown flow; final only after a few seconds, because a republish causes it briefly';
comment on column dispatch.contact is 'phone number (E.164) for which last contact and stop list are looked up';
create index dispatch_queue on dispatch (partner_id, due_at, execution_id);
create index dispatch_claims on dispatch (claimed_until) where claimed_until is not null;
call fence('dispatch', null);
grant select (execution_id, partner_id, created_at) on dispatch to portal_tenant;
