-- Credentials of third-party services. Values are sealed with the partner's data key, which is sealed with a master key.

create table partner_data_key (
  id uuid primary key default uuidv7(),
  partner_id uuid not null unique references partner,
  master_key_id text not null,
  sealed_key bytea not null,
  created_at timestamptz(3) not null default now(),
  rewrapped_at timestamptz(3)
);
create index partner_data_key_master on partner_data_key (master_key_id, id);
call fence('partner_data_key', 'none', 'select, insert');

create table credential (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  provider text not null check (provider in ('openai', 'anthropic', 'calcom', 'resend', 'twilio', 'postgres')),
  source_mode text not null check (source_mode in ('platform', 'byok')),
  sealed bytea,
  key_version int not null default 1,
  last_check_ok boolean,
  last_check_at timestamptz(3),
  last_check_message text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id, provider),
  check (source_mode = 'byok' or provider in ('openai', 'anthropic'))
);
create index credential_partner on credential (partner_id, provider);
create index credential_client on credential (client_id);
call fence('credential', 'client_id', 'select, insert, update, delete');
-- A client sees that the partner provides a default, shown as inherited. Values are in no reply.
create policy agency_default on credential for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);

-- Log of decryptions: actor, credential, purpose.
create table credential_use (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  client_id uuid,
  credential_id uuid not null,
  provider text not null,
  purpose text not null check (purpose in ('bind_connection', 'test', 'run_query', 'preflight')),
  actor_type text not null,
  actor_id uuid,
  at timestamptz(3) not null default now(),
  primary key (id)
) partition by range (id);
create index credential_use_partner on credential_use (partner_id, id desc);
create index credential_use_credential on credential_use (credential_id, id desc);
call fence('credential_use', 'client_id', 'select, insert');
call partition_by_month('credential_use', 400);

-- Connections in the engine: which credential each carries, and whether it is up to date.
create table engine_connection (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  provider text not null,
  external_id text not null,
  project_id text not null,
  engine_connection_id text,
  credential_id uuid references credential on delete set null,
  source_mode text not null,
  status text not null default 'pending' check (status in ('live', 'pending')),
  revision int not null default 0,
  due_at timestamptz(3),
  claimed_until timestamptz(3),
  attempts int not null default 0,
  synced_at timestamptz(3),
  unique (project_id, external_id)
);
comment on column engine_connection.revision is 'incremented when the desired value changes; a write of an older revision does not mark the connection live';
comment on column engine_connection.claimed_until is 'lease of the single writer: two concurrent writers could leave the older value in the engine';
create index engine_connection_partner on engine_connection (partner_id, provider);
create index engine_connection_client on engine_connection (client_id);
create index engine_connection_credential on engine_connection (credential_id);
create index engine_connection_due on engine_connection (due_at) where due_at is not null;
call fence('engine_connection', 'client_id', 'select, update');
-- A client whose agent uses the partner's credential may see whether that connection is live.
create policy agency_default on engine_connection for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
