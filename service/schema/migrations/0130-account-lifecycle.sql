-- The end of an account and the way back: deletion and reactivation requests, purges, exports; and the files an account owns.

alter table client
  add suspended_at timestamptz(3),
  add suspension_reason text,
  add suspension_cause text check (suspension_cause in ('manual', 'deletion_approved'));
update client set suspended_at = updated_at, suspension_cause = 'manual' where status = 'suspended';
comment on column client.suspension_cause is 'null while the client is not suspended';

-- Bytes of exports, media and invoices. Written once: a file is readable from `completed_at` on and never changes.
create table file (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  purpose text not null check (purpose in ('export', 'media', 'invoice')),
  content_type text not null,
  chunk_bytes int not null check (chunk_bytes > 0),
  size_bytes bigint,
  sha256 bytea,
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((completed_at is null) = (size_bytes is null) and (size_bytes is null) = (sha256 is null))
);
comment on column file.chunk_bytes is 'every chunk but the last has this many bytes, so that a range is found without reading what is before it';
create index file_partner on file (partner_id, id);
create index file_client on file (client_id);
create index file_incomplete on file (created_at) where completed_at is null;
call fence('file', 'client_id', 'select, insert, update, delete');

create table file_chunk (
  file_id uuid not null references file on delete cascade,
  n int not null check (n >= 0),
  partner_id uuid not null references partner,
  client_id uuid references client,
  content bytea not null check (octet_length(content) between 1 and 1048576),
  primary key (file_id, n)
);
-- Images and archives are compressed already.
alter table file_chunk alter content set storage external;
create index file_chunk_partner on file_chunk (partner_id, file_id);
create index file_chunk_client on file_chunk (client_id);
call fence('file_chunk', 'client_id', 'select, insert, delete');

-- Images and documents that people upload. `key` is the unguessable part of the address.
create table media (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  purpose text not null check (purpose in ('general', 'logo', 'avatar')),
  key text not null unique check (length(key) >= 32),
  filename text not null,
  alt_text text not null default '',
  content_type text not null,
  size_bytes bigint not null,
  width int,
  height int,
  file_id uuid not null references file,
  uploaded_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now()
);
comment on column media.size_bytes is 'of the file and its variants together: what counts for the quota';
create index media_partner on media (partner_id, id desc);
create index media_client on media (client_id);
create index media_file on media (file_id);
create index media_uploader on media (uploaded_by);
call fence('media', 'client_id', 'select, insert, update, delete');

-- A media image at another size.
create table media_variant (
  media_id uuid not null references media on delete cascade,
  name text not null,
  partner_id uuid not null references partner,
  client_id uuid references client,
  content_type text not null,
  width int not null,
  height int not null,
  file_id uuid not null references file,
  primary key (media_id, name)
);
create index media_variant_partner on media_variant (partner_id, media_id);
create index media_variant_client on media_variant (client_id);
create index media_variant_file on media_variant (file_id);
call fence('media_variant', 'client_id', 'select, insert, delete');

alter table partner add logo_media_id uuid references media on delete set null;
create index partner_logo on partner (logo_media_id) where logo_media_id is not null;
alter table app_user add avatar_media_id uuid references media on delete set null;
create index app_user_avatar on app_user (avatar_media_id) where avatar_media_id is not null;

create table deletion_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  account_name text not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'completed', 'rejected', 'cancelled')),
  previous_status text,
  requested_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  decision_note text,
  purge_after timestamptz(3),
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  completed_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null)),
  check ((status in ('approved', 'completed')) <= (purge_after is not null)),
  check ((status = 'completed') = (completed_at is not null))
);
comment on column deletion_request.previous_status is 'status of the account before the approval, which a reactivation restores';
create index deletion_request_partner on deletion_request (partner_id, id desc);
create index deletion_request_client on deletion_request (client_id);
create index deletion_request_requester on deletion_request (requested_by);
create index deletion_request_decider on deletion_request (decided_by);
create index deletion_request_due on deletion_request (purge_after) where status = 'approved';
create unique index deletion_request_one_open on deletion_request (partner_id, client_id) nulls not distinct where status in ('pending', 'approved');
call fence('deletion_request', 'client_id', 'select, insert, update');

create table reactivation_request (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  message text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  requested_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  decision_note text,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null))
);
create index reactivation_request_partner on reactivation_request (partner_id, id desc);
create index reactivation_request_client on reactivation_request (client_id);
create index reactivation_request_requester on reactivation_request (requested_by);
create index reactivation_request_decider on reactivation_request (decided_by);
create unique index reactivation_request_one_pending on reactivation_request (partner_id, client_id) nulls not distinct where status = 'pending';
call fence('reactivation_request', 'client_id', 'select, insert, update');

-- A purge removes an account whose deletion is due. Rows outlive the account: they hold no names.
create table purge (
  deletion_request_id uuid primary key references deletion_request,
  partner_id uuid not null references partner,
  client_id uuid references client,
  status text not null default 'running' check (status in ('running', 'waiting', 'completed')),
  waiting_for text check (waiting_for in ('engine')),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((status = 'waiting') = (waiting_for is not null)),
  check ((status = 'completed') = (finished_at is not null))
);
create index purge_partner on purge (partner_id);
create index purge_client on purge (client_id);
create index purge_open on purge (started_at) where status <> 'completed';
call fence('purge');

create table purge_step (
  deletion_request_id uuid not null references purge on delete cascade,
  position int not null,
  partner_id uuid not null references partner,
  name text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'waiting')),
  rows_removed bigint not null default 0,
  tries int not null default 0,
  problem text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (deletion_request_id, position),
  unique (deletion_request_id, name)
);
comment on column purge_step.problem is 'why the last try did not finish, for staff';
create index purge_step_partner on purge_step (partner_id);
call fence('purge_step');

create table account_export (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  scope text not null check (scope in ('partner', 'client')),
  status text not null default 'pending' check (status in ('pending', 'running', 'ready', 'expired', 'failed')),
  percent int not null default 0 check (percent between 0 and 100),
  requested_by uuid references app_user on delete set null,
  file_id uuid references file on delete set null,
  size_bytes bigint,
  tries int not null default 0,
  lease_until timestamptz(3),
  error text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  check ((scope = 'client') = (client_id is not null)),
  check ((status = 'running') = (lease_until is not null)),
  check ((status = 'ready') <= (size_bytes is not null and expires_at is not null))
);
comment on column account_export.lease_until is 'a running export whose lease has ended was interrupted and is started again';
create index account_export_partner on account_export (partner_id, id desc);
create index account_export_client on account_export (client_id);
create index account_export_requester on account_export (requested_by);
create index account_export_file on account_export (file_id);
create index account_export_open on account_export (created_at) where status in ('pending', 'running');
create index account_export_expiry on account_export (expires_at) where status = 'ready';
create unique index account_export_one_open on account_export (partner_id, client_id) nulls not distinct where status in ('pending', 'running');
call fence('account_export', 'client_id', 'select, insert');
