-- The database of version 0.2.0, as its first start made it: its migrations and functions in the order in which they were applied, and what it
-- recorded of them. Run as portal_owner. Not changed any more: the upgrade from 0.2.0 is tested with it.

set check_function_bodies = off;
create schema applied;
create table applied.file (path text primary key, checksum text not null, at timestamptz not null default now());
create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
insert into kysely_migration_lock values ('migration_lock', 0);
create or replace function app_partner() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.partner_id', true), '')::uuid $$;
create or replace function app_client() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.client_id', true), '')::uuid $$;
create or replace procedure fence(target regclass, client_column text default null, tenant_rights text default 'select')
language plpgsql as $$
declare
  rule text := 'partner_id = (select app_partner())';
begin
  if client_column is null then
    rule := rule || ' and (select app_client()) is null';
  elsif client_column <> 'none' then
    rule := rule || format(' and ((select app_client()) is null or %I = (select app_client()))', client_column);
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant_rows on %s for all to portal_tenant using (%s) with check (%s)', target, rule, rule);
  execute format('create policy system_rows on %s for all to portal_system using (true) with check (true)', target);
  execute format('grant %s on %s to portal_tenant', tenant_rights, target);
  execute format('grant select, insert, update, delete on %s to portal_system', target);
end $$;
create or replace function create_month_partitions(parent regclass, from_month date, months int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date;
  child text;
begin
  for step in 0 .. months - 1 loop
    month := (date_trunc('month', from_month) + make_interval(months => step))::date;
    child := format('%s_%s', parent::text, to_char(month, 'YYYY_MM'));
    if to_regclass(child) is null then
      execute format('create table %I partition of %s for values from (%L) to (%L)', child, parent,
        uuid_floor(month::timestamptz), uuid_floor((month + interval '1 month')::timestamptz));
      -- A query may name a partition directly, so it needs row-level security of its own.
      execute format('alter table %I enable row level security', child);
      execute format('alter table %I force row level security', child);
    end if;
  end loop;
end $$;
revoke execute on function create_month_partitions from public;
create or replace procedure partition_by_month(parent regclass, keep_days int default null)
language plpgsql as $$
begin
  insert into partitioned_table values (parent, keep_days);
  perform create_month_partitions(parent, (now() - interval '1 month')::date, 5);
  execute format('create table %s_other partition of %s default', parent, parent);
  execute format('alter table %s_other enable row level security', parent);
  execute format('alter table %s_other force row level security', parent);
end $$;
create or replace function maintain_partitions() returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  child record;
  is_needed boolean;
begin
  for parent in select * from partitioned_table loop
    perform create_month_partitions(parent.name, now()::date, 4);
    if parent.keep_days is not null then
      for child in
        select c.oid::regclass::text as name, to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = parent.name and c.relname ~ '_\d{4}_\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now() - make_interval(days => parent.keep_days)
      loop
        is_needed := false;
        if parent.keep_while is not null then
          -- Queries the parent: a partition has row-level security but no policies, so it shows no rows when named directly.
          execute format('select exists (select from %s where id >= uuid_floor(%L::timestamptz) and id < uuid_floor(%L::timestamptz) and (%s))',
            parent.name, child.month, child.month + interval '1 month', parent.keep_while) into is_needed;
        end if;
        continue when is_needed;
        execute format('drop table %s', child.name);
        return next child.name;
      end loop;
    end if;
  end loop;
end $$;
revoke execute on function maintain_partitions from public;
grant execute on function maintain_partitions to portal_system;
create or replace function uuid_floor(at timestamptz) returns uuid language sql immutable parallel safe
  as $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $$;
revoke create on schema public from public;
grant usage on schema public to portal_service, portal_tenant, portal_system;
create table partitioned_table (
  name regclass primary key,
  keep_days int
);
comment on column partitioned_table.keep_days is 'partitions older than this many days are dropped; null: never';
grant select on partitioned_table to portal_system;
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
grant select, insert, update, delete on rate_limit to portal_service;
create table plan (
  id uuid primary key default uuidv7(),
  name text not null unique,
  description text not null,
  monthly_price_minor int not null check (monthly_price_minor >= 0),
  currency text not null default 'USD',
  included_seats int not null,
  included_clients int not null,
  monthly_credits int not null,
  seat_price_minor int not null,
  credit_packs jsonb not null default '[]',
  features jsonb not null,
  is_public boolean not null default true,
  is_trial boolean not null default false,
  trial_days int,
  is_active boolean not null default true,
  sort int not null default 0
);
grant select on plan to portal_tenant, portal_system;
grant insert, update on plan to portal_system;
create table partner (
  id uuid primary key default uuidv7(),
  partner_id uuid generated always as (id) stored,
  name text not null,
  slug text not null unique,
  status text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  is_house boolean not null default false,
  automation_provider text,
  logo_url text,
  brand_color text,
  support_email text,
  website text,
  timezone text not null default 'UTC',
  internal_notes text,
  suspended_at timestamptz(3),
  suspension_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column partner.is_house is 'the reserved partner of staff users: never listed, provisioned or billed';
create unique index partner_house on partner (is_house) where is_house;
create index partner_partner on partner (partner_id);
create index partner_created on partner (created_at desc, id desc);
call fence('partner', 'none', 'select, update');
create table client (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'archived', 'deleted')),
  contact_name text,
  contact_email text,
  phone text,
  website text,
  timezone text not null default 'UTC',
  industry text,
  external_ref text,
  notes text,
  business_profile jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index client_partner on client (partner_id, created_at desc, id desc);
call fence('client', 'id', 'select, insert, update');
create table app_user (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  email text not null unique check (email = lower(email)),
  full_name text not null default '',
  role text not null check (role in ('ADMIN', 'PARTNER', 'CLIENT')),
  partner_role text check (partner_role in ('admin', 'moderator')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  password_hash text,
  mfa_enabled boolean not null default false,
  avatar_url text,
  locale text not null default 'en-US',
  timezone text not null default 'UTC',
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  sessions_valid_from timestamptz(3) not null default now(),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((role = 'CLIENT') = (client_id is not null)),
  check ((role = 'PARTNER') = (partner_role is not null))
);
create index app_user_partner on app_user (partner_id, created_at desc, id desc);
create index app_user_client on app_user (client_id);
call fence('app_user', 'client_id', 'select, insert, update, delete');
create table revoked_session (
  jti uuid primary key,
  expires_at timestamptz(3) not null
);
create index revoked_session_expiry on revoked_session (expires_at);
grant select, insert, delete on revoked_session to portal_system;
create table subscription (
  id uuid primary key default uuidv7(),
  partner_id uuid not null unique references partner,
  plan_id uuid not null references plan,
  status text not null check (status in ('trialing', 'active', 'past_due', 'suspended', 'expired', 'cancelled')),
  current_period_start timestamptz(3) not null,
  current_period_end timestamptz(3) not null,
  trial_ends_at timestamptz(3),
  purchased_seats int not null default 0,
  overrides jsonb not null default '{}',
  cancel_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index subscription_plan on subscription (plan_id);
call fence('subscription');
create table invitation (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  kind text not null check (kind in ('owner', 'team', 'client_user')),
  email text not null,
  full_name text,
  partner_role text check (partner_role in ('admin', 'moderator')),
  token_hash bytea not null unique,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  invited_by uuid references app_user on delete set null,
  sent_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  resend_count int not null default 0,
  email_status text not null default 'not_configured' check (email_status in ('sent', 'failed', 'not_configured')),
  created_at timestamptz(3) not null default now(),
  check ((kind = 'client_user') = (client_id is not null))
);
comment on column invitation.status is '"expired" is not stored: a pending invitation whose expires_at has passed';
create index invitation_partner on invitation (partner_id, created_at desc, id desc);
create index invitation_client on invitation (client_id);
create index invitation_inviter on invitation (invited_by);
create unique index invitation_one_pending on invitation (partner_id, email) where status = 'pending';
call fence('invitation', null, 'select, insert, update');
create table audit_entry (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  client_id uuid,
  at timestamptz(3) not null default now(),
  actor_type text not null check (actor_type in ('user', 'system', 'staff')),
  actor_id uuid,
  actor_email text,
  actor_via text,
  action text not null,
  target_type text,
  target_id text,
  target_label text,
  result text not null default 'ok' check (result in ('ok', 'refused')),
  changes jsonb not null default '{}',
  ip text,
  user_agent text,
  request_id text,
  primary key (id)
) partition by range (id);
create index audit_entry_partner on audit_entry (partner_id, id desc);
create index audit_entry_target on audit_entry (partner_id, target_type, target_id, id desc);
call fence('audit_entry', null, 'select, insert');
create policy client_writes on audit_entry for insert to portal_tenant
  with check (partner_id = (select app_partner()) and (client_id is null or client_id = (select app_client())));
call partition_by_month('audit_entry');
create table event (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  client_id uuid,
  type text not null,
  created_at timestamptz(3) not null default now(),
  data jsonb not null,
  due_at timestamptz(3),
  primary key (id)
) partition by range (id);
comment on column event.due_at is 'when its reactions are due; null once they have run';
create index event_partner on event (partner_id, id desc);
create index event_due on event (due_at) where due_at is not null;
call fence('event', 'client_id', 'select, insert');
call partition_by_month('event', 90);
create table usage_entry (
  id uuid not null,
  kind text not null check (kind in ('run', 'ai_tokens', 'purchase', 'grant', 'adjustment')),
  partner_id uuid not null,
  client_id uuid,
  workflow_id uuid,
  execution_id uuid,
  credits int not null,
  note text not null default '',
  at timestamptz(3) not null default now(),
  primary key (id, kind)
) partition by range (id);
create index usage_entry_partner on usage_entry (partner_id, id desc);
create index usage_entry_client on usage_entry (partner_id, client_id, id desc);
call fence('usage_entry', 'client_id');
call partition_by_month('usage_entry');
create table partner_quota (
  partner_id uuid primary key references partner,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  monthly_credits int not null,
  purchased_credits int not null default 0,
  used int not null default 0,
  in_flight int not null default 0 check (in_flight >= 0),
  thresholds int[] not null default '{50,80,100}',
  highest_threshold int not null default 0
);
comment on column partner_quota.purchased_credits is 'purchased credits left at the start of this period; they do not expire';
comment on column partner_quota.highest_threshold is 'the highest usage threshold published in this period; each is published once';
call fence('partner_quota');
create table workflow_hour (
  partner_id uuid not null references partner,
  workflow_id uuid not null,
  client_id uuid,
  hour timestamptz(0) not null,
  succeeded int not null default 0,
  failed int not null default 0,
  credits int not null default 0,
  contacted int not null default 0,
  helped int not null default 0,
  primary key (partner_id, workflow_id, hour)
);
create index workflow_hour_by_hour on workflow_hour (partner_id, hour);
create index workflow_hour_client on workflow_hour (partner_id, client_id, hour);
comment on column workflow_hour.helped is 'succeeded executions without those an agent skipped on purpose (quiet hours, opted out)';
call fence('workflow_hour', 'client_id');
create table template_copy (
  partner_id uuid not null references partner,
  template_name text not null,
  template_version int not null,
  definition jsonb not null,
  copied_at timestamptz(3) not null default now(),
  primary key (partner_id, template_name)
);
call fence('template_copy', null, 'select');
create table workflow (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  template_name text not null,
  template_version int,
  name text not null,
  description text not null default '',
  config jsonb not null default '{}',
  is_active boolean not null default true,
  client_can_pause boolean not null default false,
  credits_per_run int not null default 1,
  provider_flow_id text,
  last_run_at timestamptz(3),
  consecutive_failures int not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id, template_name)
);
comment on column workflow.template_version is 'the version that is installed; null until the first import';
create index workflow_partner on workflow (partner_id, created_at desc, id desc);
create index workflow_client on workflow (client_id);
call fence('workflow', 'client_id', 'select, insert, update, delete');
create table workflow_contact (
  partner_id uuid not null references partner,
  workflow_id uuid not null references workflow on delete cascade,
  contact text not null,
  last_at timestamptz(3) not null,
  primary key (partner_id, workflow_id, contact)
);
create index workflow_contact_workflow on workflow_contact (workflow_id);
call fence('workflow_contact', null, 'select');
create table opt_out (
  partner_id uuid not null references partner,
  client_id uuid references client,
  contact text not null,
  at timestamptz(3) not null default now(),
  unique nulls not distinct (partner_id, client_id, contact)
);
create index opt_out_client on opt_out (client_id);
call fence('opt_out', 'client_id', 'select');
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
create policy agency_default on credential for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
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
create policy agency_default on engine_connection for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
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
create table automation_instance (
  partner_id uuid primary key references partner,
  provider text not null,
  status text not null default 'unprovisioned' check (status in ('unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning')),
  tenancy_mode text not null check (tenancy_mode in ('shared', 'project')),
  project_id text,
  base_url text,
  provisioned_at timestamptz(3),
  last_error text,
  error_public text,
  api_key_encrypted text check (api_key_encrypted is null),
  current_attempt_id uuid,
  due_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column automation_instance.api_key_encrypted is 'always null: no static engine key is stored';
comment on column automation_instance.due_at is 'when the sweep may end a stuck provisioning or deprovisioning';
create index automation_instance_due on automation_instance (due_at) where due_at is not null;
call fence('automation_instance', null, 'select (partner_id, status, error_public, provisioned_at, current_attempt_id, updated_at)');
create table provisioning_attempt (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  number int not null,
  mode text not null check (mode in ('provision', 'repair', 'recreate', 'deprovision')),
  status text not null default 'running' check (status in ('running', 'succeeded', 'failed', 'timed_out')),
  requested_by uuid references app_user on delete set null,
  client_id uuid references client,
  template_names text[] not null default '{}',
  refresh_templates boolean not null default true,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  error text,
  error_public text,
  unique (partner_id, number)
);
create index provisioning_attempt_partner on provisioning_attempt (partner_id, started_at desc);
create index provisioning_attempt_running on provisioning_attempt (started_at) where status = 'running';
create index provisioning_attempt_user on provisioning_attempt (requested_by);
create index provisioning_attempt_client on provisioning_attempt (client_id);
call fence('provisioning_attempt', null, 'select (id, partner_id, number, mode, status, client_id, template_names, started_at, finished_at, error_public)');
create table provisioning_step (
  attempt_id uuid not null references provisioning_attempt on delete cascade,
  partner_id uuid not null references partner,
  "order" int not null,
  name text not null,
  stage text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped')),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  summary text,
  warnings text[] not null default '{}',
  error text,
  error_public text,
  metadata jsonb not null default '{}',
  primary key (attempt_id, "order")
);
create index provisioning_step_partner on provisioning_step (partner_id, attempt_id);
call fence('provisioning_step', null, 'select (attempt_id, partner_id, "order", name, stage, status, started_at, finished_at)');
insert into plan (name, description, monthly_price_minor, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features, is_public, is_trial, trial_days, sort) values
  ('Trial', 'Fourteen days with everything switched on.', 0, 3, 3, 500, 0, '[]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365}', true, true, 14, 1),
  ('Starter', 'For a first handful of clients.', 9900, 3, 10, 2000, 1500, '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}]',
   '{"sso": false, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 365}', true, false, null, 2),
  ('Growth', 'For an agency that lives on it.', 29900, 10, 50, 10000, 1500, '[{"id": "pack-1000", "credits": 1000, "priceMinor": 2900}, {"id": "pack-10000", "credits": 10000, "priceMinor": 19900}]',
   '{"sso": true, "chatbot": true, "customTemplates": false, "aiPlatformKeys": true, "auditRetentionDays": 730}', true, false, null, 3),
  ('Scale', 'Many teams, many clients, single sign-on.', 99900, 50, 500, 100000, 1200, '[{"id": "pack-10000", "credits": 10000, "priceMinor": 14900}]',
   '{"sso": true, "chatbot": true, "customTemplates": true, "aiPlatformKeys": true, "auditRetentionDays": 1095}', true, false, null, 4);
insert into partner (name, slug, is_house) values ('Portal staff', 'house', true);
create table agent_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  kind text not null check (kind in ('template', 'custom')),
  template_name text,
  title text not null,
  description text not null default '',
  config jsonb not null default '{}',
  status text not null check (status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed', 'fulfilled', 'rejected', 'cancelled', 'declined')),
  origin text not null check (origin in ('partner', 'client')),
  requested_by uuid references app_user on delete set null,
  reviewed_by uuid references app_user on delete set null,
  decision_note text,
  workflow_id uuid references workflow on delete set null,
  last_attempt_id uuid references provisioning_attempt on delete set null,
  failure_message text,
  missing_providers text[] not null default '{}',
  timeline jsonb not null default '[]',
  due_at timestamptz(3),
  run int not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((kind = 'template') = (template_name is not null))
);
comment on column agent_request.missing_providers is 'providers without a credential in the last attempt; saving one makes the request due';
comment on column agent_request.due_at is 'when its job may claim it, or check an installation that has not reported; null: waits for a person';
comment on column agent_request.run is 'number of the installation; only the newest may write the result';
create index agent_request_partner on agent_request (partner_id, id desc);
create index agent_request_client on agent_request (client_id, id desc);
create index agent_request_requester on agent_request (requested_by);
create index agent_request_reviewer on agent_request (reviewed_by);
create index agent_request_workflow on agent_request (workflow_id);
create index agent_request_attempt on agent_request (last_attempt_id);
create index agent_request_due on agent_request (due_at) where due_at is not null;
create unique index agent_request_one_open on agent_request (client_id, template_name)
  where template_name is not null and status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed');
call fence('agent_request', 'client_id', 'select, insert, update');
create table agent_request_key (
  partner_id uuid not null references partner,
  client_id uuid references client on delete cascade,
  key_hash bytea not null,
  request_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (partner_id, key_hash)
);
comment on column agent_request_key.client_id is 'set when a client''s user sent the key';
create index agent_request_key_client on agent_request_key (client_id);
create index agent_request_key_age on agent_request_key (created_at);
call fence('agent_request_key', 'client_id', 'select, insert, update');
create table workflow_schedule (
  workflow_id uuid primary key references workflow on delete cascade,
  partner_id uuid not null references partner,
  every text not null check (every in ('hour', 'day', 'week')),
  at text not null check (at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  weekdays int[] not null default '{}',
  timezone text not null,
  enabled boolean not null default true,
  due_at timestamptz(3),
  claimed_by uuid,
  claimed_until timestamptz(3),
  last_due_at timestamptz(3),
  last_outcome text check (last_outcome in ('started', 'skipped')),
  last_reason text,
  last_execution_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (enabled = (due_at is not null))
);
comment on column workflow_schedule.due_at is 'the next due time; null while disabled';
comment on column workflow_schedule.claimed_by is 'worker that starts the execution of due_at; only it may write the outcome, and a change by a user clears it';
create index workflow_schedule_partner on workflow_schedule (partner_id, workflow_id);
create index workflow_schedule_due on workflow_schedule (due_at) where due_at is not null;
call fence('workflow_schedule', null, 'select, insert, update, delete');
alter table execution add column extended boolean not null default false;
comment on column execution.extended is 'still running in the engine at its deadline, which was moved once';
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
create table rollout (
  id uuid primary key default uuidv7(),
  template_name text not null,
  target_version int not null,
  status text not null default 'running' check (status in ('running', 'paused', 'stopped', 'completed')),
  batch_size int not null check (batch_size between 1 and 20),
  requested_by uuid references app_user on delete set null,
  due_at timestamptz(3) default now(),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
comment on column rollout.due_at is 'when its next batch may start, or the last one should be checked; null: waits for a person or has ended';
create unique index rollout_one_open on rollout (template_name) where status in ('running', 'paused');
create index rollout_due on rollout (due_at) where due_at is not null;
create index rollout_requester on rollout (requested_by);
grant select, insert, update on rollout to portal_system;
create table rollout_partner (
  rollout_id uuid not null references rollout on delete cascade,
  partner_id uuid not null references partner,
  status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped')),
  attempt_id uuid references provisioning_attempt on delete set null,
  message text,
  claimed_by uuid,
  due_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (rollout_id, partner_id)
);
comment on column rollout_partner.due_at is 'earliest start; a busy partner is retried a minute later';
create index rollout_partner_partner on rollout_partner (partner_id, rollout_id);
create index rollout_partner_attempt on rollout_partner (attempt_id);
call fence('rollout_partner', null, 'select (rollout_id, partner_id, status, started_at, finished_at)');
alter table workflow_schedule add column kind text not null default 'run' check (kind in ('run', 'bookings'));
alter table workflow_schedule add column last_found int;
comment on column workflow_schedule.last_found is 'kind "bookings": number of reminders waiting after the last check';
alter table workflow_schedule drop constraint workflow_schedule_last_outcome_check;
alter table workflow_schedule add constraint workflow_schedule_last_outcome_check check (last_outcome in ('started', 'skipped', 'looked', 'failed'));
alter table credential_use drop constraint credential_use_purpose_check;
alter table credential_use add constraint credential_use_purpose_check
  check (purpose in ('bind_connection', 'test', 'run_query', 'preflight', 'read_bookings'));
create table planned_run (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  workflow_id uuid not null references workflow on delete cascade,
  kind text not null check (kind in ('reminder', 'nudge')),
  origin text not null check (origin in ('bookings', 'run')),
  subject text not null,
  label text not null default '',
  due_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  input jsonb not null,
  asked_by uuid,
  status text not null default 'waiting' check (status in ('waiting', 'started', 'skipped', 'cancelled', 'missed')),
  reason text,
  execution_id uuid,
  try_at timestamptz(3),
  claimed_by uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  unique (workflow_id, subject, due_at),
  check ((status = 'waiting') = (try_at is not null))
);
comment on column planned_run.subject is 'a booking or a quote; unique with due_at, so that its execution starts once';
comment on column planned_run.last_at is 'latest start; later it is marked as missed';
comment on column planned_run.asked_by is 'the execution that requested it, or the one whose answer cancelled it';
comment on column planned_run.try_at is 'when it may start: due_at, or later when it waits for credits; null once it has ended';
create index planned_run_partner on planned_run (partner_id, workflow_id, due_at);
create index planned_run_client on planned_run (client_id);
create index planned_run_due on planned_run (try_at) where try_at is not null;
create index planned_run_ended on planned_run (ended_at) where ended_at is not null;
call fence('planned_run', 'client_id', 'select, update');
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
create index agent_request_changed on agent_request (partner_id, updated_at desc);
alter table workflow_drift drop constraint workflow_drift_state_check;
alter table workflow_drift add constraint workflow_drift_state_check check (state in ('none', 'missing', 'changed', 'unchecked'));
create table webhook_endpoint (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  url text not null,
  is_active boolean not null default true,
  secret_sealed bytea,
  secret_key_id text,
  failure_streak int not null default 0,
  last_delivery_status text check (last_delivery_status in ('delivered', 'pending', 'failed')),
  last_delivery_at timestamptz(3),
  created_by uuid references app_user on delete set null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((deleted_at is null) = (secret_sealed is not null))
);
comment on column webhook_endpoint.failure_streak is 'deliveries that failed in a row; a delivered one resets it to 0';
comment on column webhook_endpoint.deleted_at is 'a deleted endpoint keeps its row for the delivery log, without its secret';
create index webhook_endpoint_partner on webhook_endpoint (partner_id, created_at desc, id desc);
create index webhook_endpoint_creator on webhook_endpoint (created_by);
create index webhook_endpoint_key on webhook_endpoint (secret_key_id) where deleted_at is null;
call fence('webhook_endpoint', null, 'select, insert, update');
create table delivery (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  reason text check (reason in ('endpoint_inactive', 'private_address', 'gone', 'attempts_exhausted', 'cancelled')),
  attempt_count int not null default 0,
  interrupted_count int not null default 0,
  due_at timestamptz(3),
  redelivery_of uuid,
  recovery_id uuid,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (id),
  check ((status = 'pending') = (due_at is not null)),
  check ((status = 'failed') = (reason is not null))
) partition by range (id);
comment on column delivery.due_at is 'when the next attempt is due, for display (delivery_queue.due_at decides); null once it has ended';
comment on column delivery.attempt_count is 'attempts that count towards the limit of five';
comment on column delivery.interrupted_count is 'attempts cut off by a crash of the service; the first three do not count';
create index delivery_endpoint on delivery (partner_id, endpoint_id, id desc);
call fence('delivery', null, 'select, insert, update');
call partition_by_month('delivery', 30);
create table delivery_queue (
  partner_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  due_at timestamptz not null default now(),
  tries int not null default 0,
  claimed_by text,
  primary key (partner_id, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
comment on column delivery_queue.due_at is 'when the next attempt is due; during an attempt, the end of its lease';
comment on column delivery_queue.tries is 'number of the latest attempt, interrupted ones included';
create index delivery_queue_lane on delivery_queue (endpoint_id, due_at, delivery_id);
call fence('delivery_queue', null, 'select, insert, update, delete');
create table delivery_attempt (
  partner_id uuid not null,
  delivery_id uuid not null,
  n int not null,
  at timestamptz(3) not null default now(),
  http_status int,
  duration_ms int,
  error text,
  response_preview text,
  primary key (partner_id, delivery_id, n)
) partition by range (delivery_id);
comment on column delivery_attempt.duration_ms is 'null during the attempt, and for one interrupted by a crash';
call fence('delivery_attempt', null, 'select');
call partition_by_month('delivery_attempt', 30);
create table webhook_recovery (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  endpoint_id uuid not null references webhook_endpoint,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  total int not null,
  queued int not null default 0,
  position uuid,
  requested_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
comment on column webhook_recovery.position is 'id of the last original delivery that was redelivered';
create index webhook_recovery_partner on webhook_recovery (partner_id, endpoint_id, id desc);
create index webhook_recovery_endpoint on webhook_recovery (endpoint_id);
create index webhook_recovery_requester on webhook_recovery (requested_by);
create unique index webhook_recovery_one on webhook_recovery (endpoint_id) where status = 'running';
call fence('webhook_recovery', null, 'select, insert, update');
alter table event add column reaction_failures int not null default 0;
comment on column event.reaction_failures is 'times its reactions failed; it is then retried alone, with back-off';
alter table partitioned_table add column keep_while text;
comment on column partitioned_table.keep_while is 'SQL condition; a partition with a matching row is not dropped';
update partitioned_table set keep_while = 'due_at is not null' where name in ('event'::regclass, 'delivery'::regclass);
create index delivery_redelivery on delivery (redelivery_of) where redelivery_of is not null;
create index delivery_recovery on delivery (recovery_id) where recovery_id is not null;
comment on column delivery.redelivery_of is 'the first delivery of the event to this endpoint, also when a redelivery was redelivered';
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
create table mail (
  id uuid primary key,
  partner_id uuid not null references partner,
  user_id uuid references app_user on delete set null,
  invitation_id uuid references invitation on delete set null,
  to_address text not null,
  kind text not null,
  subject text not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'not_configured', 'cancelled')),
  body_sealed bytea,
  body_key_id text,
  body_until timestamptz(3) not null,
  dedupe_key text,
  due_at timestamptz(3),
  sending_since timestamptz(3),
  attempts int not null default 0,
  interrupted int not null default 0,
  away_count int not null default 0,
  last_error text,
  last_answer text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  check ((status = 'queued') = (due_at is not null)),
  check ((body_sealed is null) = (body_key_id is null)),
  check (status not in ('sent', 'cancelled') or body_sealed is null),
  check ((status = 'sent') = (sent_at is not null))
);
comment on column mail.body_until is 'end of the mail''s usefulness; its body is erased then at the latest';
comment on column mail.due_at is 'when the next try is due; during a try, the end of its lease; null once it has ended';
comment on column mail.sending_since is 'set by the claim, cleared by the result; still set: the process died while sending';
comment on column mail.interrupted is 'tries with unknown outcome; the second one ends the mail';
create index mail_partner on mail (partner_id, id desc);
create index mail_user on mail (user_id);
create index mail_invitation on mail (invitation_id) where invitation_id is not null;
create index mail_due on mail (due_at) where due_at is not null;
create index mail_body on mail (body_until) where body_sealed is not null;
create index mail_body_key on mail (body_key_id, id) where body_sealed is not null;
create unique index mail_once on mail (partner_id, to_address, dedupe_key) where dedupe_key is not null;
call fence('mail', null, 'select (id, partner_id, status)');
alter table invitation alter column email_status drop not null;
comment on column invitation.email_status is 'null while the mail is queued; sent once the mail server has taken it';
create index audit_entry_action on audit_entry (partner_id, action, id desc);
create index audit_entry_client on audit_entry (partner_id, client_id, id desc) where client_id is not null;
create index audit_entry_refused on audit_entry (partner_id, id desc) where result = 'refused';
update partitioned_table set keep_days = 365, keep_while = 'at > now() - make_interval(days => (select longest_audit_days()))'
  where name = 'audit_entry'::regclass;
create table alert_rules (
  partner_id uuid primary key references partner,
  failure_streak int not null default 3 check (failure_streak between 1 and 100),
  silent_days int not null default 7 check (silent_days between 1 and 90)
);
comment on column alert_rules.failure_streak is 'number of failed executions in a row after which an agent counts as failing';
comment on column alert_rules.silent_days is 'days without an execution after which an active agent counts as silent';
call fence('alert_rules', null, 'select, insert, update');
create policy client_reads on alert_rules for select to portal_tenant using (partner_id = (select app_partner()));
grant update (thresholds) on partner_quota to portal_tenant;
create table alert_recipient (
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  primary key (partner_id, user_id)
);
create index alert_recipient_user on alert_recipient (user_id);
call fence('alert_recipient', null, 'select, insert, delete');
create table alert (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  rule text not null
    check (rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  status text not null default 'open' check (status in ('open', 'acknowledged', 'resolved')),
  subject_type text not null,
  subject_id text not null,
  subject_label text not null,
  message text not null,
  opened_at timestamptz(3) not null default now(),
  acknowledged_at timestamptz(3),
  acknowledged_by uuid references app_user on delete set null,
  resolved_at timestamptz(3),
  resolved_by uuid references app_user on delete set null,
  note text,
  cleared_at timestamptz(3),
  check ((status = 'resolved') = (resolved_at is not null)),
  check (cleared_at is null or status = 'resolved')
);
comment on column alert.cleared_at is 'when its condition ended; an alert resolved earlier by a user does not reopen before that';
create unique index alert_one_current on alert (partner_id, rule, subject_id) where cleared_at is null;
create index alert_partner on alert (partner_id, id desc);
create index alert_client on alert (client_id, id desc);
create index alert_acknowledger on alert (acknowledged_by);
create index alert_resolver on alert (resolved_by);
call fence('alert', null, 'select, update');
create table notification (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  user_id uuid not null references app_user on delete cascade,
  type text not null,
  tone text not null check (tone in ('ok', 'info', 'warn', 'bad')),
  title text not null,
  body text not null,
  href text not null,
  subject text not null,
  dedupe_key text not null,
  is_listed boolean not null default true,
  mail text not null check (mail in ('now', 'daily', 'off')),
  digested_at timestamptz(3),
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (user_id, dedupe_key)
);
comment on column notification.subject is 'notifications with the same subject are shown as one';
comment on column notification.dedupe_key is 'deduplication key: at most one notification per user and fact';
comment on column notification.is_listed is 'false when the user wants this type by mail only';
create index notification_partner on notification (partner_id, id desc);
create index notification_client on notification (client_id);
create index notification_bell on notification (user_id, id desc) where is_listed;
create index notification_unread on notification (user_id) where is_listed and read_at is null;
create index notification_digest_due on notification (user_id, id) where mail = 'daily' and digested_at is null;
create index notification_age on notification (created_at);
call fence('notification', 'client_id', 'select, insert, update');
create table notification_preference (
  user_id uuid not null references app_user on delete cascade,
  type text not null,
  partner_id uuid not null references partner,
  client_id uuid references client,
  in_app boolean not null,
  email text not null check (email in ('now', 'daily', 'off')),
  primary key (user_id, type)
);
create index notification_preference_partner on notification_preference (partner_id, user_id);
create index notification_preference_client on notification_preference (client_id);
call fence('notification_preference', 'client_id', 'select, insert, update');
create table notification_digest (
  user_id uuid not null references app_user on delete cascade,
  day date not null,
  partner_id uuid not null references partner,
  items int not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, day)
);
comment on column notification_digest.day is 'the day in the time zone of the user';
create index notification_digest_partner on notification_digest (partner_id, user_id);
call fence('notification_digest', null, 'select');
create table user_mfa (
  user_id uuid primary key references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid references client,
  secret_sealed bytea not null,
  master_key_id text not null,
  enabled_at timestamptz(3),
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now()
);
comment on column user_mfa.last_step is 'the newest 30-second step whose code was accepted; this and older codes are refused';
create index user_mfa_partner on user_mfa (partner_id);
create index user_mfa_client on user_mfa (client_id);
create index user_mfa_master on user_mfa (master_key_id, user_id);
call fence('user_mfa', 'client_id', 'select, insert, update, delete');
create table mfa_recovery_code (
  id uuid primary key default uuidv7(),
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid references client,
  code_hash bytea not null,
  used_at timestamptz(3),
  unique (user_id, code_hash)
);
create index mfa_recovery_code_partner on mfa_recovery_code (partner_id);
create index mfa_recovery_code_client on mfa_recovery_code (client_id);
call fence('mfa_recovery_code', 'client_id', 'select, insert, delete');
create table mfa_challenge (
  id uuid primary key,
  user_id uuid not null references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  wrong_codes int not null default 0,
  used_at timestamptz(3),
  expires_at timestamptz(3) not null
);
create index mfa_challenge_user on mfa_challenge (user_id);
create index mfa_challenge_expiry on mfa_challenge (expires_at);
grant select, insert, update, delete on mfa_challenge to portal_system;
create table password_reset_request (
  id uuid primary key default uuidv7(),
  email text not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, delete on password_reset_request to portal_system;
create table password_reset (
  user_id uuid primary key references app_user on delete cascade,
  sessions_valid_from timestamptz(3) not null,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null
);
create index password_reset_expiry on password_reset (expires_at);
grant select, insert, update, delete on password_reset to portal_system;
create table view_as_session (
  id uuid primary key,
  partner_id uuid not null references partner,
  client_id uuid references client,
  acting_user_id uuid not null references app_user on delete cascade,
  acting_jti uuid not null,
  acting_email text not null,
  acting_name text not null,
  reason text not null,
  started_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
comment on column view_as_session.id is 'the jti of its token';
comment on column view_as_session.acting_name is 'copied: the viewed account cannot read the viewer''s user row';
comment on column view_as_session.acting_jti is 'the session it was opened from; revoking that one ends this one';
create index view_as_session_partner on view_as_session (partner_id, started_at desc, id desc);
create index view_as_session_client on view_as_session (client_id);
create index view_as_session_actor on view_as_session (acting_user_id);
call fence('view_as_session', 'client_id', 'select, insert, update');
create table plan_request (
  id uuid primary key default uuidv7(),
  partner_id uuid references partner,
  kind text not null check (kind in ('signup', 'trial', 'change', 'custom')),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  applicant_email text not null check (applicant_email = lower(applicant_email)),
  applicant_name text not null,
  company_name text not null,
  website text,
  country text,
  plan_id uuid references plan,
  desired jsonb not null default '{}',
  requested_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  decision_note text,
  result_partner_id uuid references partner,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  check ((kind in ('signup', 'trial')) = (partner_id is null)),
  check ((status in ('approved', 'rejected')) <= (decided_at is not null))
);
comment on column plan_request.partner_id is 'null for an application: the partner does not exist yet';
create index plan_request_partner on plan_request (partner_id, id desc);
create index plan_request_pending on plan_request (id) where status = 'pending';
create index plan_request_plan on plan_request (plan_id);
create index plan_request_requester on plan_request (requested_by);
create index plan_request_decider on plan_request (decided_by);
create index plan_request_result on plan_request (result_partner_id);
create unique index plan_request_one_application on plan_request (applicant_email) where status = 'pending' and partner_id is null;
create unique index plan_request_one_of_agency on plan_request (partner_id) where status = 'pending' and partner_id is not null;
call fence('plan_request', null, 'select, insert, update');
create table work_item_owner (
  kind text not null,
  item_id uuid not null,
  user_id uuid not null references app_user on delete cascade,
  assigned_at timestamptz(3) not null default now(),
  primary key (kind, item_id)
);
create index work_item_owner_user on work_item_owner (user_id);
grant select, insert, update, delete on work_item_owner to portal_system;
create index subscription_trial on subscription (trial_ends_at) where status = 'trialing';
create table sso_connection (
  partner_id uuid primary key references partner,
  protocol text not null check (protocol in ('saml', 'oidc')),
  status text not null default 'draft' check (status in ('draft', 'verified')),
  enforced boolean not null default false,
  email_domains text[] not null,
  issuer text,
  oidc_client_id text,
  client_secret_sealed bytea,
  secret_key_id text,
  metadata_url text,
  idp_entity_id text,
  idp_sso_url text,
  idp_certificates text[],
  certificate_expires_at timestamptz(3),
  metadata_read_at timestamptz(3),
  metadata_problem text,
  configured_at timestamptz(3) not null default now(),
  verified_at timestamptz(3),
  last_login_at timestamptz(3),
  last_test jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (not enforced or status = 'verified'),
  check ((protocol = 'oidc') = (issuer is not null and oidc_client_id is not null and client_secret_sealed is not null)),
  check ((protocol = 'saml') = (metadata_url is not null))
);
comment on column sso_connection.configured_at is 'when its values were last written; an earlier verification does not count';
comment on column sso_connection.last_test is 'result of the last test login, shown to the user who set it up';
create index sso_connection_metadata on sso_connection (metadata_read_at) where protocol = 'saml';
create index sso_connection_key on sso_connection (secret_key_id, partner_id) where secret_key_id is not null;
call fence('sso_connection', null, 'select, insert, update, delete');
create table sso_login (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  purpose text not null check (purpose in ('login', 'test')),
  test_user_id uuid references app_user on delete cascade,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  configured_at timestamptz(3) not null,
  nonce text,
  code_verifier text,
  saml_request_id text,
  return_to text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
comment on column sso_login.configured_at is 'copied from the connection; a response is refused when the connection changed meanwhile';
create index sso_login_partner on sso_login (partner_id);
create index sso_login_tester on sso_login (test_user_id);
create index sso_login_expiry on sso_login (expires_at);
call fence('sso_login', null, 'select');
create table sso_code (
  code_hash bytea primary key,
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  auth_method text not null check (auth_method in ('saml', 'oidc')),
  browser_hash bytea not null,
  expires_at timestamptz(3) not null
);
create index sso_code_partner on sso_code (partner_id);
create index sso_code_user on sso_code (user_id);
create index sso_code_expiry on sso_code (expires_at);
call fence('sso_code', null, 'select');
create table sso_test (
  token_hash bytea primary key,
  partner_id uuid not null references partner,
  user_id uuid not null references app_user on delete cascade,
  expires_at timestamptz(3) not null
);
create index sso_test_partner on sso_test (partner_id);
create index sso_test_user on sso_test (user_id);
create index sso_test_expiry on sso_test (expires_at);
call fence('sso_test', null, 'select, insert');
alter table app_user add column last_sso_login_at timestamptz(3);
alter table app_user add column last_auth_method text check (last_auth_method in ('password', 'password_mfa', 'saml', 'oidc'));
alter table dispatch alter column due_at type timestamptz;
alter table invitation add column former_token_hashes bytea[] not null default '{}';
create index invitation_former_links on invitation using gin (former_token_hashes);
create or replace function notify_agent_request() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_requests', json_build_object('partnerId', new.partner_id, 'id', new.id)::text);
  return null;
end $$;
create or replace trigger agent_request_notify after insert or update on agent_request for each row execute function notify_agent_request();
create or replace function agent_health(provider_flow_id text, is_active boolean, consecutive_failures int, last_run_at timestamptz, failure_streak int, silent_days int)
returns text language sql stable parallel safe as $$
  select case
    when provider_flow_id is null then 'not_installed'
    when not is_active then 'paused'
    when consecutive_failures >= coalesce(failure_streak, 3) then 'failing'
    when last_run_at < now() - make_interval(days => coalesce(silent_days, 7)) then 'silent'
    else 'ok'
  end
$$;
create or replace function remove_agent(agent_id uuid, lease_seconds int) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  agent workflow;
  state text;
begin
  select w.* into agent from workflow w where w.id = agent_id
    and (current_setting('role') <> 'portal_tenant' or (w.partner_id = app_partner() and app_client() is null));
  if agent.id is null then return null; end if;
  -- A provisioning attempt claims the same row, so the two cannot overlap.
  select i.status into state from automation_instance i where i.partner_id = agent.partner_id for update;
  if state in ('provisioning', 'deprovisioning') then return 'busy'; end if;
  select w.* into agent from workflow w where w.id = agent_id for update;
  if agent.id is null then return null; end if;
  insert into agent_removal (workflow_id, partner_id, client_id, name, template_name, provider_flow_id, due_at)
  values (agent.id, agent.partner_id, agent.client_id, agent.name, agent.template_name, agent.provider_flow_id, now() + make_interval(secs => lease_seconds));
  delete from workflow w where w.id = agent.id;
  return 'removed';
end $$;
revoke execute on function remove_agent from public;
grant execute on function remove_agent to portal_tenant, portal_system;
create or replace function skip_contact_of_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return case when exists (select 1 from workflow w where w.id = new.workflow_id) then new end;
end $$;
revoke execute on function skip_contact_of_removed from public;
create or replace trigger workflow_contact_of_removed before insert on workflow_contact for each row execute function skip_contact_of_removed();
create or replace function enqueue_alert_evaluation() returns trigger language plpgsql as $$
begin
  perform enqueue_job('alerts.look', json_build_object('partnerId', new.partner_id), null, 'alerts.look:' || new.partner_id);
  return null;
end $$;
create or replace trigger endpoint_streak_crossed after update of failure_streak on webhook_endpoint for each row
  when ((new.failure_streak >= 20) <> (old.failure_streak >= 20)) execute function enqueue_alert_evaluation();
create or replace function audit_days(features jsonb) returns int language sql immutable
  as $$ select greatest(365, case when jsonb_typeof(features->'auditRetentionDays') = 'number' then least((features->>'auditRetentionDays')::numeric, 36500)::int end) $$;
create or replace function longest_audit_days() returns int language sql stable
  as $$ select coalesce(max(audit_days(p.features || coalesce(s.overrides->'features', '{}'))), 365) from subscription s join plan p on p.id = s.plan_id $$;
create or replace function is_staff(user_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select 1 from app_user u where u.id = user_id and u.role = 'ADMIN') $$;
revoke execute on function is_staff from public;
grant execute on function is_staff to portal_tenant, portal_system;
create or replace function touch_credential() returns trigger language plpgsql as $$
begin
  -- Only a change of the value is an update; a check or a use is not.
  if (new.source_mode, new.sealed, new.key_version) is distinct from (old.source_mode, old.sealed, old.key_version) then
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end $$;
create or replace trigger credential_touch before update on credential for each row execute function touch_credential();
create or replace function has_due_events() returns boolean
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  select exists (select from event where due_at <= now())
$$;
revoke execute on function has_due_events from public;
grant execute on function has_due_events to portal_service;
create or replace function notify_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '{}');
  return null;
end $$;
create or replace trigger event_notify after insert on event for each row when (current_user = 'portal_owner') execute function notify_event();
create or replace function take_due_events(batch int) returns setof event
language sql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  update event e set due_at = null where e.id = any (array(
    -- due_at is rounded to milliseconds, so it may lie just after the start of its own transaction.
    select id from event where due_at <= now() + interval '1 millisecond' order by due_at limit batch for update skip locked))
  returning e.*
$$;
create or replace function accept_executions(
  execution_ids uuid[], workflow_ids uuid[], sources text[], inputs jsonb[], summaries text[], over_rate boolean[], body_problems text[],
  key_hashes bytea[], sender_addresses text[], previews text[], reruns uuid[], scope_partners uuid[], scope_clients uuid[], timeout_minutes int[],
  latest_versions int[], contacts text[], audits jsonb[]
) returns table (ord int, outcome text, execution_id uuid, partner_id uuid, client_id uuid, quota_used int, quota_limit int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  partners uuid[];
begin
  select array_agg(distinct w.partner_id) into partners from workflow w where w.id = any(workflow_ids);
  if exists (select 1 from partner_quota q where q.partner_id = any(partners) and q.period_end <= now()) then
    perform roll_quota(partners);
  end if;
  return query
  with item as (
    select * from unnest(execution_ids, workflow_ids, sources, inputs, summaries, over_rate, body_problems, key_hashes, sender_addresses, previews,
      reruns, scope_partners, scope_clients, timeout_minutes, latest_versions, contacts, audits) with ordinality
      as t(execution_id, workflow_id, source, input, summary, over_rate, body_problem, key_hash, sender, preview, rerun_of, scope_partner, scope_client, timeout, latest_version,
        contact, audit, ord)
  ), known as (
    select i.*, w.partner_id, w.client_id, w.credits_per_run as cost, coalesce(w.template_version, i.latest_version) as version, prior.execution_id as prior_id,
      case
        when w.id is null or (i.scope_partner is not null and w.partner_id <> i.scope_partner)
          or (i.scope_client is not null and w.client_id is distinct from i.scope_client) then 'not_found'
        when p.status <> 'active' or coalesce(c.status, 'active') <> 'active' or coalesce(s.status, 'active') in ('expired', 'suspended', 'cancelled') then 'account_suspended'
        when not w.is_active or w.provider_flow_id is null then 'workflow_inactive'
        when i.over_rate then 'rate_limited'
      end as refusal
    from item i
    left join workflow w on w.id = i.workflow_id
    left join partner p on p.id = w.partner_id
    left join client c on c.id = w.client_id
    left join subscription s on s.partner_id = w.partner_id
    left join idempotency_key prior on i.key_hash is not null and prior.partner_id = w.partner_id and prior.scope = i.workflow_id::text and prior.key_hash = i.key_hash
  ), quota as materialized (
    select q.partner_id, q.used, q.in_flight, q.monthly_credits + q.purchased_credits as allowance
    from partner_quota q where q.partner_id in (select k.partner_id from known k where k.refusal is null and k.prior_id is null)
    order by q.partner_id for update
  ), weighed as (
    select k.*, q.allowance, q.used + q.in_flight as taken,
      sum(case when k.refusal is null and k.prior_id is null and k.body_problem is null then k.cost else 0 end) over (partition by k.partner_id order by k.ord) as wanted
    from known k left join quota q on q.partner_id = k.partner_id
  ), decided as (
    select w.*, case
        when w.refusal is not null then w.refusal
        when w.prior_id is not null then 'replayed'
        when w.allowance is null or w.taken + w.cost > w.allowance then 'quota_exceeded'
        when w.body_problem is not null then w.body_problem
        when w.taken + w.wanted > w.allowance then 'quota_exceeded'
        else 'accepted'
      end as verdict
    from weighed w
  ), keyed as (
    insert into idempotency_key (partner_id, scope, key_hash, execution_id)
    select d.partner_id, d.workflow_id::text, d.key_hash, d.execution_id from decided d where d.verdict = 'accepted' and d.key_hash is not null
    on conflict do nothing
    returning execution_id
  ), final as (
    select d.*, case when d.verdict = 'accepted' and d.key_hash is not null and not exists (select 1 from keyed k where k.execution_id = d.execution_id)
      then 'retry' else d.verdict end as result
    from decided d
  ), new_execution as (
    insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at, rerun_of)
    select f.execution_id, f.partner_id, f.client_id, f.workflow_id, f.source, f.summary, f.version, f.cost, now() + make_interval(mins => f.timeout), f.rerun_of
    from final f where f.result = 'accepted'
  ), new_payload as (
    insert into execution_payload (id, partner_id, client_id, input, sender_address, body_preview)
    select f.execution_id, f.partner_id, f.client_id, f.input, f.sender, f.preview from final f where f.result = 'accepted'
  ), new_dispatch as (
    insert into dispatch (execution_id, partner_id, workflow_id, contact)
    select f.execution_id, f.partner_id, f.workflow_id, f.contact from final f where f.result = 'accepted'
  ), new_inbound as (
    insert into inbound_event (partner_id, client_id, workflow_id, outcome, reason, status, sender_address, body_preview, execution_id)
    select f.partner_id, f.client_id, f.workflow_id, case when f.result = 'replayed' then 'accepted' else 'refused' end,
      case when f.result = 'replayed' then null else f.result end,
      case f.result when 'account_suspended' then 403 when 'workflow_inactive' then 409 when 'rate_limited' then 429 when 'quota_exceeded' then 402
        when 'malformed_json' then 400 when 'too_large' then 413 when 'unsupported_media_type' then 415 when 'replayed' then 202 else 422 end,
      f.sender, f.preview, f.prior_id
    from final f where f.source = 'ingest' and f.partner_id is not null and f.result not in ('accepted', 'retry', 'not_found')
  ), new_audit as (
    insert into audit_entry (partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, changes, ip, user_agent, request_id)
    select f.partner_id, f.client_id, f.audit->>'actorType', (f.audit->>'actorId')::uuid, f.audit->>'actorEmail', f.audit->>'actorVia', f.audit->>'action', 'execution',
      f.execution_id::text, coalesce(f.audit->'changes', '{}'), f.audit->>'ip', f.audit->>'userAgent', f.audit->>'requestId'
    from final f where f.result = 'accepted' and f.audit is not null
  ), held as (
    update partner_quota q set in_flight = q.in_flight + h.cost
    from (select f.partner_id, sum(f.cost) as cost from final f where f.result = 'accepted' group by f.partner_id) h
    where q.partner_id = h.partner_id
  )
  -- Includes what earlier items of this batch reserved.
  select f.ord::int, f.result, coalesce(f.prior_id, f.execution_id), f.partner_id, f.client_id, least(f.taken + f.wanted, f.allowance)::int, f.allowance
  from final f order by f.ord;
end $$;
revoke execute on function accept_executions from public;
grant execute on function accept_executions to portal_service;
create or replace function claim_dispatches(worker text, batch int, share int, lease_seconds int)
returns table (execution_id uuid, partner_id uuid, workflow_id uuid, client_id uuid, provider_flow_id text, template_name text, attempts int, misses int, created_at timestamptz,
  input jsonb, config jsonb, client_name text, timezone text, business_profile jsonb, last_contact_at timestamptz, opted_out boolean)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive waiting as (
    (select d.partner_id from dispatch d order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.partner_id > w.partner_id order by d.partner_id limit 1) from waiting w where w.partner_id is not null)
  ), ranked as (
    select d.execution_id, d.due_at, row_number() over (partition by w.partner_id order by d.due_at, d.execution_id) as turn
    from waiting w cross join lateral (
      select x.execution_id, x.due_at from dispatch x
      where x.partner_id = w.partner_id and x.due_at <= now() and x.claimed_until is null
      order by x.due_at, x.execution_id limit share
    ) d where w.partner_id is not null
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (select r.execution_id from ranked r order by r.turn, r.due_at limit batch) and d.claimed_until is null
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds), attempts = d.attempts + 1
    from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.partner_id, d.workflow_id, d.attempts, d.misses, d.contact, d.created_at
  )
  select c.execution_id, c.partner_id, c.workflow_id, w.client_id, w.provider_flow_id, w.template_name, c.attempts, c.misses, c.created_at, p.input, w.config,
    coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.business_profile, '{}'),
    (select m.last_at from workflow_contact m where m.partner_id = c.partner_id and m.workflow_id = c.workflow_id and m.contact = c.contact),
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.contact)
  from claimed c
  left join workflow w on w.id = c.workflow_id
  left join execution_payload p on p.partner_id = c.partner_id and p.id = c.execution_id
  left join client k on k.id = w.client_id
  left join partner a on a.id = c.partner_id
$$;
revoke execute on function claim_dispatches from public;
grant execute on function claim_dispatches to portal_service;
create or replace function claim_expired_dispatches(worker text, batch int, lease_seconds int)
returns table (execution_id uuid, provider_flow_id text, created_at timestamptz)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with chosen as (
    select d.execution_id from dispatch d where d.claimed_until <= now() order by d.claimed_until limit batch for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds) from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.workflow_id, d.created_at
  )
  select c.execution_id, w.provider_flow_id, c.created_at from claimed c left join workflow w on w.id = c.workflow_id
$$;
revoke execute on function claim_expired_dispatches from public;
grant execute on function claim_expired_dispatches to portal_service;
create or replace function extend_executions(execution_ids uuid[], minutes int) returns table (id uuid)
language sql security definer set search_path = public, pg_temp as $$
  update execution e set due_at = now() + make_interval(mins => minutes), extended = true
  where e.id = any(execution_ids) and e.status = 'RUNNING' and not e.extended
  returning e.id
$$;
revoke execute on function extend_executions from public;
grant execute on function extend_executions to portal_service;
create or replace function finish_executions(
  execution_ids uuid[], workflow_ids uuid[], statuses text[], summaries text[], outputs jsonb[], steps jsonb[], error_codes text[], error_messages text[],
  error_steps text[], contacts text[], opt_outs text[], ai_credits int[], from_timeout boolean, portal_url text
) returns table (ord int, found boolean, applied boolean, partner_id uuid)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  changed jsonb;
begin
  -- Lock order of all writers that end executions: executions, workflows, dispatch, then quota; each by id.
  perform 1 from execution e where e.id = any(execution_ids) order by e.id for update;
  perform 1 from workflow w where w.id = any(workflow_ids) order by w.id for no key update;
  perform 1 from dispatch d where d.execution_id = any(execution_ids) order by d.execution_id for update;
  with item as (
    select * from unnest(execution_ids, workflow_ids, statuses, summaries, outputs, steps, error_codes, error_messages, error_steps, contacts, opt_outs, ai_credits) with ordinality
      as t(id, workflow_id, status, summary, output, steps, error_code, error_message, error_step, contact, opt_out, ai_credits, ord)
  ), first as (
    select distinct on (i.id) i.* from item i order by i.id, i.ord
  ), ended as (
    update execution e set status = i.status, summary = coalesce(i.summary, e.summary), finished_at = now(), error_code = i.error_code, error_message = i.error_message,
      error_step = i.error_step, credits_charged = case when i.status = 'SUCCEEDED' then e.credits_held else 0 end, late = (e.status <> 'RUNNING')
    from first i
    where e.id = i.id and e.workflow_id = i.workflow_id
      and (e.status = 'RUNNING' or (not from_timeout and e.status = 'FAILED' and e.error_code = 'timeout' and not e.late))
    returning e.id, e.partner_id, e.client_id, e.workflow_id, e.status, e.credits_held, e.credits_charged, e.late, e.started_at, i.output, i.steps, i.contact, i.opt_out, i.ai_credits, i.ord
  ), stored as (
    update execution_payload p set output = coalesce(d.output, p.output), steps = coalesce(d.steps, p.steps) from ended d where p.partner_id = d.partner_id and p.id = d.id
  ), unqueued as (
    delete from dispatch d using ended e where d.execution_id = e.id
  ), metered as (
    insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, note)
    select d.id, 'run', d.partner_id, d.client_id, d.workflow_id, d.id, -d.credits_charged, '' from ended d where d.credits_charged > 0
    union all
    select d.id, 'ai_tokens', d.partner_id, d.client_id, d.workflow_id, d.id, -d.ai_credits, 'AI tokens on a platform key' from ended d where d.ai_credits > 0
    on conflict do nothing
  ), counted as (
    insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
    select d.partner_id, d.workflow_id, d.client_id, date_trunc('hour', d.started_at), count(*) filter (where d.status = 'SUCCEEDED')::int,
      (count(*) filter (where d.status = 'FAILED') - count(*) filter (where d.late))::int, sum(d.credits_charged + d.ai_credits)::int, count(d.contact)::int,
      count(*) filter (where d.status = 'SUCCEEDED' and coalesce(d.output->>'skipped', '') <> 'true')::int
    from ended d group by 1, 2, 3, 4 order by 1, 2, 4
    on conflict (partner_id, workflow_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed,
      credits = h.credits + excluded.credits, contacted = h.contacted + excluded.contacted, helped = h.helped + excluded.helped
  )
  select jsonb_agg(jsonb_build_object('id', d.id, 'ord', d.ord, 'partner', d.partner_id, 'client', d.client_id, 'workflow', d.workflow_id, 'status', d.status,
    'late', d.late, 'held', case when d.late then 0 else d.credits_held end, 'charged', d.credits_charged + d.ai_credits, 'contact', d.contact, 'opt_out', d.opt_out)) into changed from ended d;

  if changed is not null then
    update workflow w set last_run_at = now(), consecutive_failures = case when t.last_status = 'SUCCEEDED' then 0 else w.consecutive_failures + t.failures end
    from (select (c->>'workflow')::uuid as id, count(*) filter (where c->>'status' = 'FAILED' and not (c->>'late')::boolean)::int as failures,
            (array_agg(c->>'status' order by (c->>'ord')::int desc))[1] as last_status
          from jsonb_array_elements(changed) c group by 1 order by 1) t
    where w.id = t.id;
    insert into workflow_contact (partner_id, workflow_id, contact, last_at)
    select distinct on (2, 3) (c->>'partner')::uuid, (c->>'workflow')::uuid, c->>'contact', now() from jsonb_array_elements(changed) c where c->>'contact' is not null order by 2, 3
    on conflict (partner_id, workflow_id, contact) do update set last_at = excluded.last_at;
    insert into opt_out (partner_id, client_id, contact)
    select distinct (c->>'partner')::uuid, (c->>'client')::uuid, c->>'opt_out' from jsonb_array_elements(changed) c where c->>'opt_out' is not null order by 1, 2, 3
    on conflict do nothing;
    perform settle_quota(changed, portal_url);
  end if;

  return query
  select t.ord::int, e.id is not null, coalesce(changed @> jsonb_build_array(jsonb_build_object('id', t.id, 'ord', t.ord)), false), e.partner_id
  from unnest(execution_ids, workflow_ids) with ordinality as t(id, workflow_id, ord)
  left join execution e on e.id = t.id and e.workflow_id = t.workflow_id order by t.ord;
end $$;
revoke execute on function finish_executions from public;
grant execute on function finish_executions to portal_service;
create or replace function overdue_executions(batch int) returns table (id uuid, workflow_id uuid, template_name text, input jsonb, minutes int)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.workflow_id, w.template_name, p.input, round(extract(epoch from e.due_at - e.started_at) / 60)::int
  from execution e left join workflow w on w.id = e.workflow_id left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  where e.status = 'RUNNING' and e.due_at <= now() order by e.due_at limit batch
$$;
revoke execute on function overdue_executions from public;
grant execute on function overdue_executions to portal_service;
create or replace function overdue_in_engine(execution_ids uuid[]) returns table (id uuid, provider_flow_id text, started_at timestamptz, extended boolean, due boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, case when exists (select 1 from dispatch d where d.execution_id = e.id and d.attempts = 0) then null else w.provider_flow_id end,
    e.started_at, e.extended, e.status = 'RUNNING' and e.due_at <= now()
  from execution e left join workflow w on w.id = e.workflow_id
  where e.id = any(execution_ids)
$$;
revoke execute on function overdue_in_engine from public;
grant execute on function overdue_in_engine to portal_service;
create or replace function release_delayed_dispatches() returns void
language sql security definer set search_path = public, pg_temp as $$
  -- Same lock order as settle_dispatches.
  with held as materialized (
    select d.execution_id from dispatch d where d.due_at > now() and d.claimed_until is null and d.misses = 0 order by d.execution_id for update
  )
  update dispatch d set due_at = d.created_at from held h where d.execution_id = h.execution_id
$$;
revoke execute on function release_delayed_dispatches from public;
grant execute on function release_delayed_dispatches to portal_service;
create or replace function report_facts(execution_ids uuid[], providers text[]) returns table (ord int, template_name text, input jsonb, on_platform_key boolean)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select t.ord::int, w.template_name, p.input, coalesce((
    select c.source_mode = 'platform' from engine_connection c
    where t.provider is not null and c.partner_id = e.partner_id and c.provider = t.provider and (c.client_id is null or c.client_id = e.client_id)
    order by c.client_id nulls last limit 1), false)
  from unnest(execution_ids, providers) with ordinality as t(id, provider, ord)
  join execution e on e.id = t.id
  left join workflow w on w.id = e.workflow_id
  left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  order by t.ord
$$;
revoke execute on function report_facts from public;
grant execute on function report_facts to portal_service;
create or replace function settle_dispatches(done uuid[], again uuid[], again_in_ms int[], missed boolean[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  -- Lock order of all writers of the queue: by execution. Executions may end while they are settled.
  select 1 from dispatch d where d.execution_id = any(done || again) order by d.execution_id for update;
  delete from dispatch where execution_id = any(done);
  update dispatch d set claimed_by = null, claimed_until = null, due_at = now() + make_interval(secs => a.wait_ms / 1000.0), misses = d.misses + a.missed::int
  from unnest(again, again_in_ms, missed) as a(execution_id, wait_ms, missed) where d.execution_id = a.execution_id;
$$;
revoke execute on function settle_dispatches from public;
grant execute on function settle_dispatches to portal_service;
create or replace function store_step_times(execution_id uuid, new_steps jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  update execution_payload p set steps = new_steps, timed = true from execution e
  where e.id = execution_id and p.partner_id = e.partner_id and p.id = e.id and not p.timed
$$;
revoke execute on function store_step_times from public;
grant execute on function store_step_times to portal_service;
create or replace function sweep_idempotency_keys(batch int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    delete from idempotency_key k where (k.partner_id, k.scope, k.key_hash) in (
      select o.partner_id, o.scope, o.key_hash from idempotency_key o where o.created_at < now() - interval '24 hours' order by o.created_at limit batch)
    returning 1
  ) select count(*)::int from old
$$;
revoke execute on function sweep_idempotency_keys from public;
grant execute on function sweep_idempotency_keys to portal_service;
create or replace function workflow_facts(workflow_id uuid) returns table (partner_id uuid, client_id uuid, template_name text)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select w.partner_id, w.client_id, w.template_name from workflow w where w.id = workflow_id
$$;
revoke execute on function workflow_facts from public;
grant execute on function workflow_facts to portal_service;
create or replace function assert_session(
  user_id uuid, session_partner uuid, session_client uuid, issued_at timestamptz, session_jti uuid, while_suspended boolean, acting_user uuid default null
)
returns void language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found_user record;
  viewed record;
  partner_status text;
  client_status text;
begin
  select u.status, u.role, u.sessions_valid_from, u.partner_id, u.client_id, p.status as partner_status, c.status as client_status
    into found_user
    from app_user u join partner p on p.id = u.partner_id left join client c on c.id = u.client_id
   where u.id = assert_session.user_id;
  if found_user is null then raise exception 'session revoked' using errcode = 'PS401'; end if;
  partner_status := found_user.partner_status;
  client_status := coalesce(found_user.client_status, 'active');
  if acting_user is null then
    if found_user.partner_id <> session_partner or found_user.client_id is distinct from session_client then
      raise exception 'session revoked' using errcode = 'PS401';
    end if;
  else
    select v.acting_jti, p.status as partner_status, coalesce(c.status, 'active') as client_status
      into viewed
      from view_as_session v join partner p on p.id = v.partner_id left join client c on c.id = v.client_id
     where v.id = session_jti and v.acting_user_id = acting_user and v.partner_id = session_partner
       and v.client_id is not distinct from session_client and v.ended_at is null and v.expires_at > now();
    if viewed is null or acting_user <> assert_session.user_id or viewed.partner_status = 'deleted' or viewed.client_status = 'deleted'
      or found_user.partner_status <> 'active'
      or not (found_user.role = 'ADMIN' or (found_user.role = 'PARTNER' and found_user.partner_id = session_partner and session_client is not null))
      or exists (select 1 from revoked_session r where r.jti = viewed.acting_jti)
    then
      raise exception 'session revoked' using errcode = 'PS401';
    end if;
    partner_status := viewed.partner_status;
    client_status := viewed.client_status;
  end if;
  -- Revoked before disabled: disabling revokes every session, so an older token gets 401 like any revoked one.
  -- iat counts whole seconds: a session is revoked when it was issued before the second of the revocation.
  if issued_at < date_trunc('second', found_user.sessions_valid_from) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if found_user.status <> 'active' then raise exception 'user disabled' using errcode = 'PS404'; end if;
  if exists (select 1 from revoked_session r where r.jti = session_jti) then raise exception 'session revoked' using errcode = 'PS401'; end if;
  if not while_suspended and (partner_status <> 'active' or client_status <> 'active') then
    raise exception 'account suspended' using errcode = 'PS403';
  end if;
end $$;
revoke execute on function assert_session from public;
grant execute on function assert_session to portal_service, portal_tenant, portal_system;
create or replace function email_has_user(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select 1 from app_user u where u.email = lower(address))
$$;
revoke execute on function email_has_user from public;
grant execute on function email_has_user to portal_tenant, portal_system;
create or replace function revoke_session(session_jti uuid, session_expires_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into revoked_session (jti, expires_at) values (session_jti, session_expires_at) on conflict do nothing
$$;
revoke execute on function revoke_session from public;
grant execute on function revoke_session to portal_tenant, portal_system;
create or replace function enqueue_job(
  job text,
  payload json,
  run_at timestamptz default null,
  key text default null,
  queue text default null,
  attempts_max integer default null
) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select graphile_worker.add_job(
    identifier := job, payload := payload, run_at := run_at, job_key := key, queue_name := queue, max_attempts := attempts_max
  );
$$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to portal_tenant, portal_system;
create or replace function enqueue_jobs(
  job text,
  payloads json[],
  keys text[] default null,
  run_at timestamptz default null,
  queue text default null,
  attempts_max integer default null
) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select graphile_worker.add_jobs(array(
    select row(job, one.payload, queue, run_at, attempts_max, one.key, null, null)::graphile_worker.job_spec
    from unnest(payloads, keys) with ordinality as one(payload, key, n)
    -- By key: concurrent callers lock the same jobs in the same order.
    order by one.key, one.n
  ));
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to portal_tenant, portal_system;
create or replace function cancel_mail(partner uuid, invitation uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_send_mail_for(partner) then raise exception 'mail of another agency' using errcode = '42501'; end if;
  update mail m set status = 'cancelled', due_at = null, sending_since = null, body_sealed = null, body_key_id = null
   where m.partner_id = partner and m.invitation_id = invitation and m.status in ('queued', 'failed', 'not_configured');
end $$;
revoke execute on function cancel_mail from public;
grant execute on function cancel_mail to portal_tenant, portal_system;
create or replace function may_send_mail_for(partner uuid) returns boolean language sql stable as $$
  select current_setting('role') = 'portal_system' or partner = (select app_partner())
$$;
create or replace function queue_mail(
  mail_id uuid, partner uuid, receiver uuid, invitation uuid, address text, mail_kind text, mail_subject text,
  start_status text, sealed bytea, key_id text, until_at timestamptz, once_key text
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_send_mail_for(partner) then raise exception 'mail of another agency' using errcode = '42501'; end if;
  if start_status not in ('queued', 'not_configured') then raise exception 'a mail begins queued or not_configured'; end if;
  if invitation is not null then perform cancel_mail(partner, invitation); end if;
  insert into mail (id, partner_id, user_id, invitation_id, to_address, kind, subject, status, body_sealed, body_key_id, body_until, dedupe_key, due_at)
  values (mail_id, partner, receiver, invitation, address, mail_kind, mail_subject, start_status, sealed, key_id, until_at, once_key,
    case when start_status = 'queued' then now() end)
  on conflict (partner_id, to_address, dedupe_key) where dedupe_key is not null do nothing;
  return found;
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to portal_tenant, portal_system;
create or replace function roll_quota(partner_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  -- Locks all named rows in partner order, not only those whose period has ended: callers lock more of them afterwards.
  select 1 from partner_quota q where q.partner_id = any(partner_ids) order by q.partner_id for update;
  update partner_quota q set
    period_start = q.period_start + make_interval(months => n.months),
    period_end = q.period_start + make_interval(months => n.months + 1),
    purchased_credits = greatest(0, q.purchased_credits - greatest(0, q.used - q.monthly_credits)),
    used = 0, highest_threshold = 0
  from (select p.partner_id,
          (select count(*)::int from generate_series(1, 1200) s where p.period_start + make_interval(months => s) <= now()) as months
        from partner_quota p where p.partner_id = any(partner_ids) and p.period_end <= now()) n
  where q.partner_id = n.partner_id and q.period_end <= now()
$$;
revoke execute on function roll_quota from public;
grant execute on function roll_quota to portal_tenant, portal_system;
create or replace function settle_quota(changed jsonb, portal_url text) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  if exists (select 1 from partner_quota q where q.period_end <= now() and q.partner_id in (select (c->>'partner')::uuid from jsonb_array_elements(changed) c)) then
    perform roll_quota((select array_agg(distinct (c->>'partner')::uuid) from jsonb_array_elements(changed) c));
  end if;
  with delta as (
    select (c->>'partner')::uuid as partner_id, sum((c->>'held')::int)::int as held, sum((c->>'charged')::int)::int as charged
    from jsonb_array_elements(changed) c group by 1
  ), locked as materialized (
    select q.partner_id, q.highest_threshold from partner_quota q where q.partner_id in (select d.partner_id from delta d) order by q.partner_id for update
  ), moved as (
    update partner_quota q set in_flight = greatest(0, q.in_flight - d.held), used = q.used + d.charged,
      highest_threshold = greatest(q.highest_threshold, coalesce((
        select max(t) from unnest(q.thresholds) t where (q.used + d.charged)::bigint * 100 >= t::bigint * (q.monthly_credits + q.purchased_credits)), 0))
    from delta d, locked l where q.partner_id = d.partner_id and l.partner_id = d.partner_id
    returning q.*, l.highest_threshold as before
  )
  insert into event (partner_id, type, data, due_at)
  select m.partner_id, 'usage.threshold_crossed', jsonb_build_object(
      'partnerId', m.partner_id, 'partnerName', p.name, 'portalUrl', portal_url || '/dashboard/usage', 'metric', 'credits', 'thresholdPercent', t,
      'used', m.used, 'limit', m.monthly_credits + m.purchased_credits, 'remaining', greatest(0, m.monthly_credits + m.purchased_credits - m.used),
      'periodStart', iso_time(m.period_start), 'periodEnd', iso_time(m.period_end),
      'topClients', coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'used', x.used)) from (
        select k.id, k.name, sum(h.credits)::int as used from workflow_hour h join client k on k.id = h.client_id
        where h.partner_id = m.partner_id and h.hour >= date_trunc('hour', m.period_start) group by k.id, k.name order by 3 desc limit 5) x), '[]')), now()
  from moved m join partner p on p.id = m.partner_id cross join lateral unnest(m.thresholds) t
  where t > m.before and t <= m.highest_threshold;
end $$;
revoke execute on function settle_quota from public;
create or replace function iso_time(at timestamptz) returns text language sql immutable
  as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
create or replace function known_zone(zone text) returns text language sql stable parallel safe
  as $$ select case when trim(zone) <> '' and pg_input_is_valid('2000-01-01 00:00 ' || zone, 'timestamptz') then zone else 'UTC' end $$;
create or replace function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;
create or replace trigger partner_touch before update on partner for each row execute function touch_updated_at();
create or replace trigger client_touch before update on client for each row execute function touch_updated_at();
create or replace trigger app_user_touch before update on app_user for each row execute function touch_updated_at();
create or replace trigger subscription_touch before update on subscription for each row execute function touch_updated_at();
create or replace trigger automation_instance_touch before update on automation_instance for each row execute function touch_updated_at();
create or replace trigger agent_request_touch before update on agent_request for each row execute function touch_updated_at();
create or replace trigger workflow_schedule_touch before update of every, at, weekdays, timezone, enabled on workflow_schedule for each row execute function touch_updated_at();
create or replace trigger webhook_endpoint_touch before update of url, is_active, deleted_at on webhook_endpoint for each row execute function touch_updated_at();
create or replace trigger sso_connection_touch before update on sso_connection for each row execute function touch_updated_at();
create or replace function claim_deliveries(
  worker text, batch int, lease_seconds int, lane_room int, partner_room int, lanes uuid[], lane_rooms int[], partners uuid[], partner_rooms int[]
) returns table (kind text, delivery_id uuid, partner_id uuid, endpoint_id uuid, event_type text, body text, n int, attempt_count int, interrupted_count int,
  url text, secret_sealed bytea, secret_key_id text)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  with recursive lane as (
    (select q.endpoint_id, q.partner_id from delivery_queue q order by q.endpoint_id limit 1)
    union all
    select x.endpoint_id, x.partner_id from lane l cross join lateral (
      select q.endpoint_id, q.partner_id from delivery_queue q where q.endpoint_id > l.endpoint_id order by q.endpoint_id limit 1) x
  ), clock as (
    -- After a restart of Postgres, live senders get five seconds to record outcomes before their claims are taken over.
    select now() > pg_postmaster_start_time() + interval '5 seconds' as takes_over
  ), room as (
    select l.partner_id, l.endpoint_id, coalesce(p.room, partner_room) as of_partner,
      least(coalesce(e.room, lane_room), coalesce(p.room, partner_room), batch) as of_lane
    from lane l
    left join unnest(lanes, lane_rooms) as e(id, room) on e.id = l.endpoint_id
    left join unnest(partners, partner_rooms) as p(id, room) on p.id = l.partner_id
  ), due as (
    select r.partner_id, r.of_partner, d.delivery_id, d.due_at, d.place
    from room r cross join clock cross join lateral (
      select q.delivery_id, q.due_at, row_number() over (order by q.due_at, q.delivery_id) as place from delivery_queue q
      where q.endpoint_id = r.endpoint_id and q.due_at <= now() and (q.claimed_by is null or (q.claimed_by <> worker and clock.takes_over))
      order by q.due_at, q.delivery_id limit r.of_lane
    ) d where r.of_lane > 0
  ), ranked as (
    select d.*, row_number() over (partition by d.partner_id order by d.place, d.due_at, d.delivery_id) as turn from due d
  ), chosen as (
    select q.tid from (
      select t.partner_id, t.delivery_id from ranked t where t.turn <= t.of_partner order by t.turn, t.due_at, t.delivery_id limit batch
    ) t cross join lateral (
      select x.ctid as tid from delivery_queue x where x.partner_id = t.partner_id and x.delivery_id = t.delivery_id
        and x.due_at <= now() and x.claimed_by is distinct from worker
      for update skip locked
    ) q
  ), claimed as (
    -- By ctid, which the row locks keep stable: a join could get a bad cached plan, because the queue is mostly empty.
    update delivery_queue q set claimed_by = worker, due_at = now() + make_interval(secs => lease_seconds),
      tries = q.tries + case when q.claimed_by is null and (
        select e.is_active and e.deleted_at is null from webhook_endpoint e where e.id = q.endpoint_id limit 1) then 1 else 0 end
    where q.ctid = any (array(select c.tid from chosen c))
    returning new.delivery_id, new.partner_id, new.endpoint_id, new.tries,
      case when old.claimed_by is not null then 'lapsed' when new.tries > old.tries then 'send' else 'inactive' end as kind
  ), started as (
    insert into delivery_attempt (partner_id, delivery_id, n) select c.partner_id, c.delivery_id, c.tries from claimed c where c.kind = 'send'
  )
  select c.kind, c.delivery_id, c.partner_id, c.endpoint_id, d.event_type, d.body, c.tries, coalesce(d.attempt_count, 0), coalesce(d.interrupted_count, 0),
    e.url, e.secret_sealed, e.secret_key_id
  from claimed c
  left join lateral (select x.event_type, x.body, x.attempt_count, x.interrupted_count from delivery x where x.id = c.delivery_id limit 1) d on true
  left join lateral (select x.url, x.secret_sealed, x.secret_key_id from webhook_endpoint x where x.id = c.endpoint_id limit 1) e on true
$$;
revoke execute on function claim_deliveries from public;
grant execute on function claim_deliveries to portal_service;
create or replace function notify_deliveries(partner_ids uuid[], endpoint_ids uuid[]) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('deliveries_changed', jsonb_build_object('endpoints', jsonb_agg(jsonb_build_object('partnerId', t.partner_id, 'endpointId', t.endpoint_id)))::text)
  from (select row_number() over () as place, d.* from (select distinct * from unnest(partner_ids, endpoint_ids) as u(partner_id, endpoint_id)) d) t
  group by t.place / 60
$$;
create or replace function settle_deliveries(
  workers text[], delivery_ids uuid[], partner_ids uuid[], endpoint_ids uuid[], ns int[], nexts text[], reasons text[], waits_ms int[], spent boolean[],
  interrupted boolean[], statuses int[], durations_ms int[], errors text[], previews text[]
) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  -- Lock order of all writers of endpoints: by id, before the queue.
  perform 1 from webhook_endpoint e where e.id = any(endpoint_ids) order by e.id for no key update;
  with item as (
    select * from unnest(workers, delivery_ids, partner_ids, ns, nexts, reasons, waits_ms, spent, interrupted, statuses, durations_ms, errors, previews) with ordinality
      as t(worker, delivery_id, partner_id, n, next, reason, wait_ms, spent, interrupted, status, duration_ms, error, preview, ord)
  ), recorded as (
    update delivery_attempt a set http_status = i.status, duration_ms = i.duration_ms, error = i.error, response_preview = i.preview
    from item i where a.partner_id = any (partner_ids) and a.delivery_id = any (delivery_ids) and a.partner_id = i.partner_id
      and a.delivery_id = i.delivery_id and a.n = i.n
      -- A real outcome replaces "interrupted", never the reverse.
      and (not i.interrupted or a.duration_ms is null)
  ), held as (
    select i.*, q.tid from item i cross join lateral (
      select x.ctid as tid from delivery_queue x where x.partner_id = i.partner_id and x.delivery_id = i.delivery_id
        and (i.next = 'delivered' or (x.claimed_by = i.worker and x.tries = i.n))
      for update
    ) q
  ), left_queue as (
    delete from delivery_queue q where q.ctid = any (array(select h.tid from held h where h.next <> 'again'))
  ), waiting as (
    update delivery_queue q set claimed_by = null, due_at = now() + make_interval(secs => h.wait_ms / 1000.0)
    from held h where q.ctid = h.tid and h.next = 'again'
  ), moved as (
    update delivery d set status = case h.next when 'again' then 'pending' else h.next end, reason = h.reason,
      due_at = case h.next when 'again' then now() + make_interval(secs => h.wait_ms / 1000.0) end,
      attempt_count = d.attempt_count + h.spent::int, interrupted_count = d.interrupted_count + h.interrupted::int,
      finished_at = case h.next when 'again' then null else now() end
    from held h where d.id = any (delivery_ids) and d.id = h.delivery_id and d.status = 'pending'
    returning d.endpoint_id, d.status, h.ord, h.interrupted or h.reason is not distinct from 'endpoint_inactive' as silent
  ), summed as (
    select m.endpoint_id, (array_agg(m.status order by m.ord desc))[1] as status,
      count(*) filter (where m.status = 'failed' and m.ord > coalesce(m.last_good, 0))::int as failed_since, bool_or(m.last_good is not null) as reset
    from (select m.*, max(m.ord) filter (where m.status = 'delivered') over (partition by m.endpoint_id) as last_good from moved m where not m.silent) m
    group by m.endpoint_id
  )
  update webhook_endpoint e set last_delivery_status = s.status, last_delivery_at = now(),
    failure_streak = case when s.reset then s.failed_since else e.failure_streak + s.failed_since end
  from summed s where e.id = s.endpoint_id;
  perform notify_deliveries(partner_ids, endpoint_ids);
end $$;
revoke execute on function settle_deliveries from public;
grant execute on function settle_deliveries to portal_service;
create or replace function plan_next_run() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  run execution;
  asked text := coalesce(new.output->>'nextNudgeAt', new.output->>'nextReminderAt');
  next_at timestamptz;
  what text := case when new.output ? 'nextReminderAt' then 'reminder' else 'nudge' end;
  about text;
begin
  select e.* into run from execution e where e.id = new.id;
  about := case
    when what = 'nudge' then 'quote:' || encode(sha256(convert_to(new.input->>'quoteUrl', 'UTF8')), 'hex')
    when coalesce(new.input->>'bookingUid', '') <> '' then 'booking:' || left(new.input->>'bookingUid', 200)
    else 'visit:' || encode(sha256(convert_to(concat_ws('|', new.input->>'startTime', new.input->>'attendeePhone', new.input->>'attendeeEmail', new.input->>'attendeeName'), 'UTF8')), 'hex')
  end;
  if run.status is distinct from 'SUCCEEDED' or about is null or not exists (select 1 from workflow w where w.id = run.workflow_id) then
    return null;
  end if;

  if what = 'nudge' then
    update planned_run p set status = 'cancelled', reason = case when new.output->>'reason' = 'answered' then 'answered' else 'replaced' end, try_at = null, ended_at = now()
    where p.id in (
      select o.id from planned_run o where o.workflow_id = run.workflow_id and o.subject = about and o.status = 'waiting' order by o.id for update);
    -- Stores the contacted mail address (finish_executions stores phone numbers), so that a sent nudge counts as a contact.
    if new.output->>'contacted' like '%@%' then
      insert into workflow_contact (partner_id, workflow_id, contact, last_at) values (run.partner_id, run.workflow_id, lower(left(new.output->>'contacted', 320)), now())
      on conflict (partner_id, workflow_id, contact) do update set last_at = excluded.last_at;
    end if;
    if new.output->>'reason' = 'answered' then
      -- Recorded, so that a nudge in progress does not plan the next one.
      insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, last_at, input, asked_by, status, reason, ended_at)
      values (run.partner_id, run.client_id, run.workflow_id, what, 'run', about, clock_timestamp(), clock_timestamp(), '{}', run.id, 'cancelled', 'answered', now())
      on conflict do nothing;
      return null;
    end if;
  end if;

  -- Output of a flow is untrusted: only a valid time in the future is accepted.
  if asked is null or not pg_input_is_valid(asked, 'timestamptz') or asked !~ '^\d{4}-\d\d-\d\dT' then
    return null;
  end if;
  next_at := asked::timestamptz;
  if next_at <= now() or next_at > now() + interval '400 days' then
    return null;
  end if;
  if what = 'nudge' and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'cancelled' and p.reason = 'answered' and p.ended_at >= run.started_at) then
    return null;
  end if;
  -- The bookings schedule plans the reminders of known bookings itself.
  if what = 'reminder' and exists (
    select 1 from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.origin = 'bookings') then
    return null;
  end if;
  -- Bound on follow-ups per subject: a quote has six nudges at most.
  if (select count(*) from planned_run p where p.workflow_id = run.workflow_id and p.subject = about and p.status = 'started') >= 24 then
    return null;
  end if;
  insert into planned_run as p (partner_id, client_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, asked_by, try_at)
  values (run.partner_id, run.client_id, run.workflow_id, what, 'run', about, left(coalesce(new.input->>'customerName', new.input->>'attendeeName', ''), 120), next_at,
    next_at + case what when 'nudge' then interval '7 days' else interval '59 minutes' end,
    -- A quote without a date counts from its first execution, not from each nudge.
    case when what = 'nudge' and coalesce(new.input->>'sentAt', '') = '' then new.input || jsonb_build_object('sentAt', iso_time(run.started_at)) else new.input end,
    run.id, next_at)
  on conflict (workflow_id, subject, due_at) do update
    set status = 'waiting', reason = null, input = excluded.input, label = excluded.label, asked_by = excluded.asked_by, try_at = excluded.try_at, last_at = excluded.last_at, ended_at = null
    where p.status = 'cancelled';
  return null;
end $$;
revoke execute on function plan_next_run from public;
create or replace trigger execution_payload_plans after update of output on execution_payload for each row
  when (new.output ?| array['nextNudgeAt', 'nextReminderAt', 'nudge'] or new.output->>'reason' = 'answered')
  execute function plan_next_run();
insert into applied.file (path, checksum) values
  ('functions/agent-requests/notify_agent_request.sql', '69a2833b8d01e48dc6b2ad69850b79665e84648d121b5520b1ed036c335208b6'),
  ('functions/agents/agent_health.sql', 'c9c58aa0933d1e8f9cfa97aa77d4f77953f358185aa6231b015c15b0bfb95a6f'),
  ('functions/agents/remove_agent.sql', 'fb5ca78f2cdd7dda4f209706cfdd7e93efe396f45f3dfa01d312fbe4c3bf1cfe'),
  ('functions/agents/skip_contact_of_removed.sql', '3cbd4980fc5b3a0d8ccf02b141234a3bb7285bd06a3d59b8613fb7177b224276'),
  ('functions/alerts/enqueue_alert_evaluation.sql', '668c309afecd404e778eee54bbfb0e6f0a1b8fb0728f5d94abd7c9e445634a60'),
  ('functions/audit/audit_days.sql', 'b5c562d3f8bcc67f6ea804ee14475f15b603c873af4c434f28ea5628e4c622ff'),
  ('functions/audit/is_staff.sql', '68d21b15470834979c8b011ec9c9eb34ed463fe522022249bd38a8c30f4917e1'),
  ('functions/base/current_tenant.sql', '028e6a8fb5d1e4ca028d83b40b0cbfa32ab0cdabbe887c934bd9540e832c2812'),
  ('functions/base/fence.sql', 'e4e897214aaadcafc5a81c5ce787c1e2a28eecc6da867ad67129835ec20e6482'),
  ('functions/base/partitions.sql', '3162efc2ee7b122427f93c09e435251dd50a0f76f276121d41c3e703a48d7037'),
  ('functions/base/uuid_floor.sql', '46d7ced7963691de36ca60889d9d7f8f838e56a99241e66b4df21b00f394ed51'),
  ('functions/credentials/touch_credential.sql', '3dc0526016946f10f027d5dfe1954519c0e96bea5979a235ff2c1c736b444858'),
  ('functions/events/has_due_events.sql', '3dbf7eabc4fb765e8a959357b4533157ec5c59e1ea2384e0e104664453bda80e'),
  ('functions/events/notify_event.sql', '545eef37d64413f746776e9e9728d8a59e3d6c0b258e508408a6d3bd9afbafa6'),
  ('functions/events/take_due_events.sql', 'ca9c244c9988bff1dd2c5eb76eb72fb16438311702893d3bc2cce2c98a78693e'),
  ('functions/executions/accept_executions.sql', '4caab2ee4d78495d46af4102e7bfb6fe535b8c1814e46ede4b92df0b2a118b48'),
  ('functions/executions/claim_dispatches.sql', 'f3fea2b50085235afe6bf332f21b590c956e81c34e3fafdfc7759ab7ddf12f8e'),
  ('functions/executions/claim_expired_dispatches.sql', '754f9f76a333ad5de02684b9ad46ea2db0cca2cfd8016f9db99fc505bd599c01'),
  ('functions/executions/extend_executions.sql', '80ebf57f54bfa952cd8dfae313bfee665233de716cfae6b75e420aae3b35f99e'),
  ('functions/executions/finish_executions.sql', '633486f1728462ec146ee22ac46edfce2e6096f221f8f79c47569aaaf60e6a81'),
  ('functions/executions/overdue_executions.sql', '27ba4bd35eb4f0d9ddd2e47f4881f650ae4989f8c29896003c4068ce6b01c437'),
  ('functions/executions/release_delayed_dispatches.sql', '1c9c3149019d6fed5cf0c15d9b4f45d431b43def9c4664a49d020dfb47f24202'),
  ('functions/executions/report_facts.sql', '9db348a1c8e57230eef3755674a4bfe5eee38455eef224a3d49131b3bb54b4a2'),
  ('functions/executions/settle_dispatches.sql', '13b7e3ba4bf2bd846867aa3129d3da745f82eab72128cf7696f54fa04bf1d485'),
  ('functions/executions/store_step_times.sql', '5a625bf37fc6b5ef99092b23ec70309e062c5601210c8a3f98d015225a8688ff'),
  ('functions/executions/sweep_idempotency_keys.sql', 'f70aa76797dcfb5906178304d931e3a5d2709ffcd33126cff6f18b167e95289b'),
  ('functions/executions/workflow_facts.sql', '3b7f19917440331337748156c19c196b7ce51ca35b53a5d60afa6d898d2e6133'),
  ('functions/identity/assert_session.sql', '2c793a265b06d5683cf7be49646ca107352af55f8aad844cf5a7529092f10127'),
  ('functions/identity/email_has_user.sql', '49a7369dc3c599dbcd910b2880cd484f26a679bcff096fc77f07a7edb7cc6faa'),
  ('functions/identity/revoke_session.sql', 'eb12dc787d3a0cdf78a82ac68b6426621bc62c947762424d21ad42e6f8e8265d'),
  ('functions/jobs/enqueue_job.sql', '2d0a3d072c4554eb527b6df598c5ad262ef0758ca83b6cc478a04ddeb9b03766'),
  ('functions/mail/cancel_mail.sql', 'd49e63a57ff708fbc64232ab8c1e63878aade7a62ef17cc0e62224473b4cf202'),
  ('functions/mail/may_send_mail_for.sql', '942e74a5014f1096adbc24e0893b8dcd8a5e683cd961aaaf3bef4503cba5de51'),
  ('functions/mail/queue_mail.sql', '8e6d11c4dcbff52de9397bcc90cb2b1e4988a5cd6fad62e423c0f71a0729bae0'),
  ('functions/metering/roll_quota.sql', '4abbc037b4cd64788031bc326949f09faafcebeaffd440da6b11b5b5f192e40a'),
  ('functions/metering/settle_quota.sql', '2b322b8cbba1e1103062da0d49b9d0e18c4d20ee0e652fd3050f9cfa6112ff6e'),
  ('functions/shared/iso_time.sql', '96fa71ed87c1c68acb8ee4fa92fc6fb18aee4fe4b2f0639ba3c27998e95e2e39'),
  ('functions/shared/known_zone.sql', '4cd131583ce12bfcebd43f0e8122ca8d36a2e8970fa9caef96256fd9aee10b9e'),
  ('functions/shared/touch_updated_at.sql', '7d057c36208aa2bf46f7e1782defab4ec5747cdfd7b2e14b1a48778551c11495'),
  ('functions/webhooks/claim_deliveries.sql', '24681610cad06317835b4c9e7ef882861fda3fde2466a03973de575917cbfe51'),
  ('functions/webhooks/notify_deliveries.sql', '1c1174f8f0053ac8010816cf7f042c2d4a8b0fc3dc7d1409b83919a2a4270554'),
  ('functions/webhooks/settle_deliveries.sql', '82be90aedc007e35d6aa4a4e39591dab07eaa4f64ab8214343b506bec70ea2b2'),
  ('functions/workflows/plan_next_run.sql', '902df9d8472d449f0c56e93cbe55b917dcc9e277a2cbdfa9e593b88a33208755'),
  ('migrations/0001-foundation', '67948fdf9810ddc6316b437f59ae7d7bfe61a18475bba806d98749655c758e15'),
  ('migrations/0002-jobs', 'e3b515af00985092d496f27700297f0ea7a2c94056aa91960cd008fa8ba20864'),
  ('migrations/0003-tenancy', '4108cde6fdbc05849bde13aca02eb9dbdd0e38b8a0b65600c1aaa25c79c80d78'),
  ('migrations/0004-ledger', '62d95d7034911adfd6b7f4a86f516f7eb43749879d25940ba9a7a2a33cffd670'),
  ('migrations/0005-agents', 'eab04a3092024511d672c8830e1f63436b0ad534c3bf89999a7113528c6e5eb0'),
  ('migrations/0006-vault', '086cbdc4e36c5dd65538ca7fb121e73fb32f341599fc5a07b8de6d4ab2c90cdd'),
  ('migrations/0007-executions', 'e0c07e3e104e924279b1112ebbf39bd7f7a7f38c5761e029001f4d47e388a43e'),
  ('migrations/0008-provisioning', '190ca206823780bf3525c7b40bb4aca91d0729b240ee869d207f39cb92152ab5'),
  ('migrations/0009-plans', 'df147844c7db0f5f8994646917b96d288262e22e65e971344358044ffec748bd'),
  ('migrations/0060-agent-requests', '1aa35dab986c473c1b0aac7279ec0c963547d1e796863dca11266f99dfa6dc93'),
  ('migrations/0070-schedules', 'a3e3f0223c6d2c8b50f589f236a1a636751e2cc9555921112043486beeabb82f'),
  ('migrations/0071-overdue', '7eb408e268e1c9c97c711978f93a0c3b5f5e26f42ba0fa7a9d7a375692262c21'),
  ('migrations/0072-drift', '962c558e836173008e795cff2fc30d8b15fa57cdd1f04da0c7bdc7a07d880bea'),
  ('migrations/0073-rollouts', '74f832a442bed45d75c41e0cedc52cc88de31c90eaf93ede057da886d8572d7f'),
  ('migrations/0074-planned-runs', '2db3600abe06efa9f85fff8b698af84fe4a930eebcdbc31df2be1948dc7d16c6'),
  ('migrations/0075-agent-removals', '0bf7a21f7087b8bcdd95c8dc3052c9344bb80954b842179d9d08191ed001902f'),
  ('migrations/0076-agent-request-changes', '53058b71deff86408569c0ed128d5de3d7315798b7be84386928bfeab81b198b'),
  ('migrations/0077-unchecked-drift', '2ec38932d4f716437161011099a053ef807521faff08172e5f3e57a4991b8fa1'),
  ('migrations/0080-webhooks', 'be03a154e59991e1149dae9b0a0dd86e27c358deb2c41f771da85bba4c06e0d8'),
  ('migrations/0081-reactions', '6c952ef74d1ebd976c6541e841da40031b731043481fd710d6fca0508d2bb72a'),
  ('migrations/0082-redeliveries', '1937d0d932928698bf47fa8d97290f90bedd0c18c1d8d67cf123b8030e4b24df'),
  ('migrations/0083-mail', '5901139f33e2898b7f83dc04ff3b159bbc7774d67790aa36993bb2ffee27ca4c'),
  ('migrations/0084-audit', '4725d9d6ae998c3212a4306d858a40885c13155c17bf27c16e7d6386bbddbbdf'),
  ('migrations/0085-alerts', '4e140e3b1c3d670fa22bd554659cdb2d870ddea86c3f8f820f664d1cdbff6c01'),
  ('migrations/0086-notifications', 'a402526d431ee43ba1295aad406957c98ca8506fcfc1d2249afc675a9f0d8501'),
  ('migrations/0090-mfa', 'f9b96061150103dc4db4129bc52ad9140a9267db697e796f718188a44bb1647d'),
  ('migrations/0091-view-as', '71d036414d823e5c2951799c67b73ecadf9457e046a81d2a374c920faa3e2b07'),
  ('migrations/0092-applications', '0772ff9e935412ea5045631c201fb4ff11ccbddf3460355ab4e2c63b8aa7e44a'),
  ('migrations/0093-sso', 'c489013e0129b6d9419fa3018f64aaf8250f4a91f01b267f7b68b08b75bc1898'),
  ('migrations/0095-team', 'ce844abf10c7a9ee6bea6f9b87607a94826301b3d04e015bfd482824cc8422b7'),
  ('migrations/0096-due-exactly', '25cfa43a37a438521ab4694ee956cebdf8b39e8628495b49173e4e212c3feda9'),
  ('migrations/0097-invitation-links', '3e7db56bec7ff1199124ad1e0b085d6f628d8537454635a71ecced3ea51f9cb1');
insert into kysely_migration (name, timestamp) values
  ('0001-foundation', '2026-11-22T20:00:00.000Z'),
  ('0002-jobs', '2026-11-22T20:00:00.001Z'),
  ('0003-tenancy', '2026-11-22T20:00:00.002Z'),
  ('0004-ledger', '2026-11-22T20:00:00.003Z'),
  ('0005-agents', '2026-11-22T20:00:00.004Z'),
  ('0006-vault', '2026-11-22T20:00:00.005Z'),
  ('0007-executions', '2026-11-22T20:00:00.006Z'),
  ('0008-provisioning', '2026-11-22T20:00:00.007Z'),
  ('0009-plans', '2026-11-22T20:00:00.008Z'),
  ('0060-agent-requests', '2026-11-22T20:00:00.009Z'),
  ('0070-schedules', '2026-11-22T20:00:00.010Z'),
  ('0071-overdue', '2026-11-22T20:00:00.011Z'),
  ('0072-drift', '2026-11-22T20:00:00.012Z'),
  ('0073-rollouts', '2026-11-22T20:00:00.013Z'),
  ('0074-planned-runs', '2026-11-22T20:00:00.014Z'),
  ('0075-agent-removals', '2026-11-22T20:00:00.015Z'),
  ('0076-agent-request-changes', '2026-11-22T20:00:00.016Z'),
  ('0077-unchecked-drift', '2026-11-22T20:00:00.017Z'),
  ('0080-webhooks', '2026-11-22T20:00:00.018Z'),
  ('0081-reactions', '2026-11-22T20:00:00.019Z'),
  ('0082-redeliveries', '2026-11-22T20:00:00.020Z'),
  ('0083-mail', '2026-11-22T20:00:00.021Z'),
  ('0084-audit', '2026-11-22T20:00:00.022Z'),
  ('0085-alerts', '2026-11-22T20:00:00.023Z'),
  ('0086-notifications', '2026-11-22T20:00:00.024Z'),
  ('0090-mfa', '2026-11-22T20:00:00.025Z'),
  ('0091-view-as', '2026-11-22T20:00:00.026Z'),
  ('0092-applications', '2026-11-22T20:00:00.027Z'),
  ('0093-sso', '2026-11-22T20:00:00.028Z'),
  ('0095-team', '2026-11-22T20:00:00.029Z'),
  ('0096-due-exactly', '2026-11-22T20:00:00.030Z'),
  ('0097-invitation-links', '2026-11-22T20:00:00.031Z');
