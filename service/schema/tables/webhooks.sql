-- Outbound webhooks: endpoints, deliveries, attempts.

-- An address to which an agency has its events sent.
create table webhook_endpoint (
  id                   uuid primary key default uuidv7(),
  partner_id           uuid not null references partner,
  url                  text not null,
  is_active            boolean not null default true,
  secret_sealed        bytea,
  secret_key_id        text,
  -- Deliveries that failed in a row; a delivered one resets it to 0.
  failure_streak       int not null default 0,
  last_delivery_status text check (last_delivery_status in ('delivered', 'pending', 'failed')),
  last_delivery_at     timestamptz(3),
  created_by           uuid references app_user on delete set null,
  -- A deleted endpoint keeps its row for the delivery log, without its secret.
  deleted_at           timestamptz(3),
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  -- Event types that are sent; empty: all, also those of later versions.
  events               text[] not null default '{}',
  check ((deleted_at is null) = (secret_sealed is not null))
);
create index webhook_endpoint_partner on webhook_endpoint (partner_id, created_at desc, id desc);
create index webhook_endpoint_creator on webhook_endpoint (created_by);
-- As mail_old_key.
create index webhook_endpoint_old_key on webhook_endpoint (id) where length(secret_key_id) <= 32;
call fence('webhook_endpoint', null, 'select, insert, update');

-- An event for an endpoint. `body` is written once and sent unchanged on each attempt, because it is signed.
create table delivery (
  id                uuid not null default uuidv7(),
  partner_id        uuid not null,
  endpoint_id       uuid not null,
  event_id          uuid not null,
  event_type        text not null,
  body              text not null,
  status            text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  reason            text check (reason in ('endpoint_inactive', 'private_address', 'gone', 'attempts_exhausted', 'cancelled')),
  -- Attempts that count towards the limit of five.
  attempt_count     int not null default 0,
  -- Attempts cut off by a crash of the service; the first three do not count.
  interrupted_count int not null default 0,
  -- When the next attempt is due, for display (delivery_queue.due_at decides); null once it has ended.
  due_at            timestamptz(3),
  -- The first delivery of the event to this endpoint, also when a redelivery was sent again.
  redelivery_of     uuid,
  recovery_id       uuid,
  created_at        timestamptz(3) not null default now(),
  finished_at       timestamptz(3),
  -- Header `traceparent` of the span that its attempts belong below; null unless tracing is on.
  traceparent       text,
  primary key (id),
  check ((status = 'pending') = (due_at is not null)),
  check ((status = 'failed') = (reason is not null))
) partition by range (id);
create index delivery_endpoint on delivery (partner_id, endpoint_id, id desc);
-- Null for almost every delivery, so that these partial indexes stay small.
create index delivery_redelivery on delivery (redelivery_of) where redelivery_of is not null;
create index delivery_recovery on delivery (recovery_id) where recovery_id is not null;
-- As event_threshold.
create index delivery_threshold on delivery (partner_id) where event_type = 'usage.threshold_crossed';
call fence('delivery', null, 'select, insert, update');
call partition_by_month('delivery', keep_days => 30, keep_while => 'due_at is not null');

-- The queue of pending deliveries: a row exists exactly while its delivery is pending. Narrow rows, so that a claim does not rewrite a body. High
-- turnover: vacuumed early.
create table delivery_queue (
  partner_id  uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  -- When the next attempt is due; during an attempt, the end of its lease.
  due_at      timestamptz not null default now(),
  -- Number of the latest attempt, interrupted ones included.
  tries       int not null default 0,
  claimed_by  text,
  primary key (partner_id, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index delivery_queue_lane on delivery_queue (endpoint_id, due_at, delivery_id);
call fence('delivery_queue', null, 'select, insert, update, delete');

-- An attempt to deliver, inserted before the request is sent and completed afterwards. Partitioned by delivery_id, so that it is dropped together
-- with its delivery.
create table delivery_attempt (
  partner_id       uuid not null,
  delivery_id      uuid not null,
  n                int not null,
  at               timestamptz(3) not null default now(),
  http_status      int,
  -- Null during the attempt, and for one interrupted by a crash.
  duration_ms      int,
  error            text,
  response_preview text,
  -- The signature header that was sent; null until the attempt has ended, and for one that a crash interrupted.
  signature        text,
  primary key (partner_id, delivery_id, n)
) partition by range (delivery_id);
call fence('delivery_attempt', null, 'select');
call partition_by_month('delivery_attempt', keep_days => 30);

-- A recovery sends an endpoint again what it missed in a period.
create table webhook_recovery (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  endpoint_id  uuid not null references webhook_endpoint,
  since        timestamptz(3) not null,
  until        timestamptz(3) not null,
  status       text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  total        int not null,
  queued       int not null default 0,
  -- Id of the last original delivery that was redelivered.
  position     uuid,
  requested_by uuid references app_user on delete set null,
  created_at   timestamptz(3) not null default now(),
  finished_at  timestamptz(3)
);
create index webhook_recovery_partner on webhook_recovery (partner_id, endpoint_id, id desc);
create index webhook_recovery_endpoint on webhook_recovery (endpoint_id);
create index webhook_recovery_requester on webhook_recovery (requested_by);
create unique index webhook_recovery_one on webhook_recovery (endpoint_id) where status = 'running';
-- Read by the sweep that resumes recoveries without a job.
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
call fence('webhook_recovery', null, 'select, insert, update');
