-- An export of an account's data into one file.
create table account_export (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  scope        text not null check (scope in ('partner', 'client')),
  status       text not null default 'pending' check (status in ('pending', 'running', 'ready', 'expired', 'failed')),
  percent      int not null default 0 check (percent between 0 and 100),
  requested_by uuid references app_user on delete set null,
  file_id      uuid references file on delete set null,
  size_bytes   bigint,
  tries        int not null default 0,
  -- A running export whose lease has ended was interrupted and is started again.
  lease_until  timestamptz(3),
  error        text,
  created_at   timestamptz(3) not null default now(),
  started_at   timestamptz(3),
  finished_at  timestamptz(3),
  expires_at   timestamptz(3),
  -- The kind of requester: the export for a client leaves out what only its agency may read.
  audience     text not null default 'agency' check (audience in ('agency', 'client')),
  -- The attempt that makes it; only its holder may write the result.
  claimed_by   uuid,
  -- When the next attempt may start.
  due_at       timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  check ((scope = 'client') = (client_id is not null)),
  check ((status = 'running') = (lease_until is not null)),
  check ((status = 'ready') <= (size_bytes is not null and expires_at is not null)),
  check ((status = 'running') = (claimed_by is not null)),
  check ((audience = 'client') <= (scope = 'client'))
);
create index account_export_partner on account_export (partner_id, id desc);
create index account_export_client on account_export (client_id);
create index account_export_requester on account_export (requested_by);
create index account_export_file on account_export (file_id);
create index account_export_open on account_export (created_at) where status in ('pending', 'running');
create index account_export_expiry on account_export (expires_at) where status = 'ready';
create unique index account_export_one_open on account_export (partner_id, client_id, audience) nulls not distinct
  where status in ('pending', 'running');
call fence('account_export', 'client_id', 'select, insert');
-- A client neither reads nor waits for an export that its agency made about it.
create policy own_audience on account_export as restrictive for all to portal_tenant
  using ((select app_client() is null) or audience = 'client') with check ((select app_client() is null) or audience = 'client');
