-- Runs: payloads, inbound log, idempotency, and the queue to the engine.

-- When an agent last reached a person, which a flow cannot keep itself.
create table workflow_contact (
  partner_id  uuid not null references partner,
  workflow_id uuid not null references workflow on delete cascade,
  contact     text not null,
  last_at     timestamptz(3) not null,
  primary key (partner_id, workflow_id, contact)
);
create index workflow_contact_workflow on workflow_contact (workflow_id);
call fence('workflow_contact', null, 'select');

-- A run of an agent.
create table execution (
  id               uuid not null,
  partner_id       uuid not null,
  client_id        uuid,
  workflow_id      uuid not null,
  status           text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCEEDED', 'FAILED')),
  source           text not null check (source in ('ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test')),
  summary          text not null,
  template_version int not null,
  credits_held     int not null,
  credits_charged  int not null default 0,
  started_at       timestamptz(3) not null default now(),
  finished_at      timestamptz(3),
  due_at           timestamptz(3) not null,
  error_code       text,
  error_message    text,
  error_step       text,
  rerun_of         uuid,
  late             boolean not null default false,
  -- Still running in the engine at its deadline, which was moved once.
  extended         boolean not null default false,
  -- The meaning of a succeeded run, as its template judges the output; null for other runs and those of version 0.2.0.
  tone             text check (tone in ('good', 'neutral', 'attention')),
  -- A succeeded run that ended early on purpose; its output, which says so too, is dropped earlier.
  stopped          boolean not null default false,
  primary key (id)
) partition by range (id);
create index execution_partner on execution (partner_id, id desc);
create index execution_client on execution (partner_id, client_id, id desc);
create index execution_workflow on execution (workflow_id, id desc);
create index execution_failed on execution (partner_id, id desc) where status = 'FAILED';
create index execution_running on execution (due_at) where status = 'RUNNING';
-- Runs of conversations that timed out and may still end in the engine: few, and asked about each minute.
create index execution_timed_out_turns on execution (finished_at)
  where source = 'chatbot' and status = 'FAILED' and error_code = 'timeout' and not late;
-- A report says how many failures were repaired. Only reruns are in the index, so other runs pay nothing for it.
create index execution_rerun on execution (partner_id, client_id, id) where source = 'rerun';
call fence('execution', 'client_id');
call partition_by_month('execution');

-- Input and output of a run. A separate table, because it is dropped after 90 days while the run remains. Its primary key serves lookups by run and
-- the tenant policy: each further index would slow every ingest call.
create table execution_payload (
  id             uuid not null,
  partner_id     uuid not null,
  client_id      uuid,
  input          jsonb not null,
  output         jsonb,
  steps          jsonb,
  -- The steps carry the engine's own times.
  timed          boolean not null default false,
  sender_address text,
  -- Masked body for the inbound log; shown, like the sender, for 14 days.
  body_preview   text,
  -- Canonical values by input, where they differ from what came; null for an input that is left out.
  understood     jsonb,
  -- Remarks made while the event was read: [{ key, remark }], with key null for the whole event.
  remarks        jsonb,
  primary key (partner_id, id)
) partition by range (id);
call fence('execution_payload', 'client_id', 'select');
call partition_by_month('execution_payload', keep_days => 90);

-- The inbound log: calls that created no run. Accepted calls are listed from their run, which saves a row here.
create table inbound_event (
  id             uuid not null default uuidv7(),
  partner_id     uuid not null,
  client_id      uuid,
  workflow_id    uuid not null,
  received_at    timestamptz(3) not null default now(),
  outcome        text not null check (outcome in ('accepted', 'refused')),
  reason         text,
  status         int not null,
  sender_address text,
  body_preview   text,
  execution_id   uuid,
  -- As in execution_payload, masked; for a refused event also what could not be understood, and for a repeated one by what it is a repeat.
  remarks        jsonb,
  primary key (partner_id, workflow_id, id)
) partition by range (id);
call fence('inbound_event', 'client_id', 'select');
call partition_by_month('inbound_event', keep_days => 14);

-- Idempotency keys of events, and the run that each started.
create table idempotency_key (
  partner_id   uuid not null,
  scope        text not null,
  key_hash     bytea not null,
  execution_id uuid not null,
  created_at   timestamptz(3) not null default now(),
  -- The same key with another body is refused; null for keys of version 0.2.0 and of the service itself, whose bodies are not compared.
  body_hash    bytea,
  primary key (partner_id, scope, key_hash)
);
create index idempotency_key_age on idempotency_key (created_at);
call fence('idempotency_key', null);

-- The queue of runs to be sent to the engine. A row is deleted once the engine has accepted the run, or may have.
create table dispatch (
  execution_id    uuid primary key,
  partner_id      uuid not null,
  workflow_id     uuid not null,
  -- When it may be sent. For a claimed row it is when it was claimed, so that nothing was sent before.
  due_at          timestamptz not null default now(),
  attempts        int not null default 0,
  -- Times the engine reported an unknown flow; final only after a few seconds, because a republish causes it briefly.
  misses          int not null default 0,
  -- Phone number (E.164) for which last contact and stop list are looked up.
  contact         text,
  -- The worker that dispatches it or asks the engine about it; null with claimed_until: no worker until then.
  claimed_by      text,
  claimed_until   timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  -- Size of the event as JSON.
  bytes           int not null default 262144 check (bytes between 0 and 262144),
  -- How long the run may take once the engine has it; null in rows of version 0.2.0.
  timeout_minutes int check (timeout_minutes > 0),
  -- The contact, or the other number, is a phone number that the flow may text.
  texts           boolean not null default false,
  -- Set while the first contacts of the hour are used up: when the run is sent.
  held_until      timestamptz,
  -- The keyword request in the text of the event, besides an answer: its run ends before the flow.
  keyword         text check (keyword in ('opt_out', 'opt_in', 'help')),
  -- Number that the flow may text (E.164), when it is another than the contact.
  texted_number   text
);
create index dispatch_queue on dispatch (partner_id, due_at, execution_id);
-- By partner, so that one with many unanswered dispatches does not delay the others.
create index dispatch_claims on dispatch (partner_id, claimed_until) where claimed_until is not null;
create index dispatch_held on dispatch (partner_id, held_until) where held_until is not null;
-- Runs between two attempts, by whom they may text.
create index dispatch_retries on dispatch (partner_id, workflow_id, contact) where attempts > 0 and claimed_until is null;
call fence('dispatch', null);
grant select (execution_id, partner_id, created_at) on dispatch to portal_tenant;
-- Whether it waits for capacity of the engine or for the engine.
grant select (attempts) on dispatch to portal_tenant;
grant select (held_until) on dispatch to portal_tenant;

-- A request to run many failed runs again.
create table rerun_request (
  id          uuid primary key default uuidv7(),
  partner_id  uuid not null references partner,
  workflow_id uuid not null,
  total       int not null,
  -- The requester, as the audit entry of each rerun records it.
  audit       jsonb not null,
  created_at  timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index rerun_request_partner on rerun_request (partner_id, id desc);
create index rerun_request_open on rerun_request (partner_id, id) where finished_at is null;
call fence('rerun_request', null, 'select, insert, update, delete');

-- A run of a rerun request, and what became of it. A run is in one request at a time.
create table rerun_item (
  execution_id uuid primary key,
  partner_id   uuid not null references partner,
  request_id   uuid not null references rerun_request on delete cascade,
  state        text not null default 'waiting' check (state in ('waiting', 'started', 'refused')),
  reason       text
);
create index rerun_item_request on rerun_item (request_id, state, execution_id);
create index rerun_item_partner on rerun_item (partner_id, execution_id);
call fence('rerun_item', null, 'select, insert, update, delete');

-- Runs that the engine has taken over and has not ended: bounded per engine and per agency, and asked about when they take long. No reference to
-- execution: like the queue, the table is written for a thousand runs a second. High turnover: vacuumed early.
create table under_way (
  execution_id uuid primary key,
  partner_id   uuid not null,
  workflow_id  uuid not null,
  -- When the dispatcher claimed it: its timeout counts from here.
  handed_at    timestamptz not null default now(),
  -- When the engine is asked whether it has ended without a report that arrived.
  ask_at       timestamptz not null,
  asked        int not null default 0,
  -- That of its dispatch.
  contact      text
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index under_way_partner on under_way (partner_id, execution_id);
-- Runs that hold a place are counted at each claim, without those under way for longer.
create index under_way_handed on under_way (handed_at) include (partner_id);
create index under_way_ask on under_way (ask_at);
create index under_way_contact on under_way (workflow_id, contact) where contact is not null;
call fence('under_way', null);

-- Refused reports of runs, counted by hour and reason. Names no account, and tenants may not read it. The reasons are a closed list, so that no
-- caller can add rows.
create table report_refusal (
  hour    timestamptz(0) not null,
  reason  text not null check (reason in ('bad_token', 'unknown_run', 'unreadable', 'invalid', 'too_large', 'rate_limited', 'unavailable')),
  reports bigint not null,
  primary key (hour, reason)
);
grant select, insert, update, delete on report_refusal to portal_system;

-- People whose first text was handed to the engine. Rows older than an hour no longer count and are deleted, but those of people whom removed agents
-- have texted. These have the time -infinity, unless they count in this hour.
create table first_contact (
  partner_id uuid not null,
  client_id  uuid,
  contact    text not null,
  at         timestamptz not null default now(),
  is_known   boolean not null default false,
  unique nulls not distinct (partner_id, contact, client_id)
);
comment on column first_contact.is_known is 'an agent that was removed since has texted them';
create index first_contact_hour on first_contact (partner_id, client_id, at);
create index first_contact_age on first_contact (at) where not is_known;
call fence('first_contact', 'client_id', 'select');

-- Up to which run summaries and error messages were emptied: contents of runs, which outlive the rest of these. One row.
create table forgotten_text (
  upto uuid not null
);
create unique index forgotten_text_once on forgotten_text ((true));
grant select, update on forgotten_text to portal_system;

-- Those of no run yet.
insert into forgotten_text values ('00000000-0000-0000-0000-000000000000');
