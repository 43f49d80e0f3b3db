-- Audit log, domain events, credit ledger and quota.

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
-- Actions of client users are recorded too, but only the partner may read them.
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

-- Signed credits. The entry of an execution has the execution's id, so the primary key makes metering happen exactly once.
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

-- Quota: one row per partner, changed by guarded updates only. An execution reserves its credits (in_flight) until it ends.
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

-- Executions per hour, counted when an execution ends: charts and totals never scan executions.
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
