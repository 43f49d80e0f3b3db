-- Keys of third-party services, their use, and their connections in the engine.

-- API keys of third-party services, sealed with the agency's data key. An agency's own row is the default of its clients.
create table credential (
  id                 uuid primary key default uuidv7(),
  partner_id         uuid not null references partner,
  client_id          uuid references client,
  provider           text not null check (provider in ('openai', 'anthropic', 'calcom', 'resend', 'twilio', 'postgres')),
  source_mode        text not null check (source_mode in ('platform', 'byok')),
  sealed             bytea,
  key_version        int not null default 1,
  last_check_ok      boolean,
  last_check_at      timestamptz(3),
  last_check_message text,
  last_used_at       timestamptz(3),
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  -- For a SQL database: off, verified, not_verified (chosen), untested or failed (saved before certificates were verified).
  tls                text check (tls in ('off', 'verified', 'not_verified', 'untested', 'failed')),
  -- When an untested key is tested next.
  tls_due_at         timestamptz(3),
  -- Why the certificate of a failed key is not verified, for its owner.
  tls_problem        text,
  unique nulls not distinct (partner_id, client_id, provider),
  check (source_mode = 'byok' or provider in ('openai', 'anthropic'))
);
-- Keys are found by agency, client and provider. The planner knows only the average agency and would join the keys of one with thousands one by one;
-- it now expects a hundredth of the table for any.
alter table credential alter column partner_id set (n_distinct = 100);
create index credential_partner on credential (partner_id, provider);
create index credential_client on credential (client_id);
create index credential_tls_due on credential (tls_due_at) where tls = 'untested';
create index credential_tls_failed on credential (partner_id) where tls = 'failed';
call fence('credential', 'client_id', 'select, insert, update, delete');
-- A client sees that the partner provides a default, shown as inherited. Values are in no reply.
create policy agency_default on credential for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);

-- A log entry for each decryption of a credential: who, for what purpose, and for whom.
create table credential_use (
  id               uuid not null default uuidv7(),
  partner_id       uuid not null,
  client_id        uuid,
  credential_id    uuid not null,
  provider         text not null,
  purpose          text not null check (purpose in ('bind_connection', 'test', 'run_query', 'preflight', 'read_bookings', 'ai_call')),
  actor_type       text not null,
  actor_id         uuid,
  at               timestamptz(3) not null default now(),
  -- The client for whom a key of the agency was used; workflow_id is the agent.
  served_client_id uuid,
  workflow_id      uuid,
  primary key (id)
) partition by range (id);
create index credential_use_partner on credential_use (partner_id, id desc);
create index credential_use_credential on credential_use (credential_id, id desc);
create index credential_use_client on credential_use (client_id, id desc) where client_id is not null;
create index credential_use_served on credential_use (served_client_id, id desc) where served_client_id is not null;
call fence('credential_use', 'client_id', 'select, insert');
call partition_by_month('credential_use', keep_days => 400);

-- A connection in the engine: which credential it carries, and whether it is up to date.
create table engine_connection (
  id                   uuid primary key default uuidv7(),
  partner_id           uuid not null references partner,
  client_id            uuid references client,
  provider             text not null,
  external_id          text not null,
  project_id           text not null,
  engine_connection_id text,
  credential_id        uuid references credential on delete set null,
  source_mode          text not null,
  status               text not null default 'pending' check (status in ('live', 'pending')),
  -- Incremented when the desired value changes; a write of an older revision does not mark the connection live.
  revision             int not null default 0,
  due_at               timestamptz(3),
  -- Lease of the single writer: two concurrent writers could leave the older value in the engine.
  claimed_until        timestamptz(3),
  attempts             int not null default 0,
  synced_at            timestamptz(3),
  -- Keyed hash of the value that was written last, and the engine's time of that change: while both hold, a repair writes nothing.
  value_hash           bytea,
  engine_updated       text,
  unique (project_id, external_id)
);
create index engine_connection_partner on engine_connection (partner_id, provider);
create index engine_connection_client on engine_connection (client_id);
create index engine_connection_credential on engine_connection (credential_id);
create index engine_connection_due on engine_connection (due_at) where due_at is not null;
call fence('engine_connection', 'client_id', 'select, update');
-- A client whose agent uses the partner's credential may see whether that connection is live.
create policy agency_default on engine_connection for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
