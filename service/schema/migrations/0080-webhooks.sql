-- Outbound webhooks: endpoints, deliveries, attempts.

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

-- One event for one endpoint. `body` is written once and sent unchanged on each attempt, because it is signed.
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

-- The queue of pending deliveries. Narrow rows, so that a claim does not rewrite a body; a row exists exactly while its delivery is pending.
-- High turnover: vacuumed early.
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

-- Inserted before the request is sent, completed afterwards. Partitioned by delivery_id: dropped together with its delivery.
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

-- Recovery: redelivers what an endpoint missed in a period.
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
