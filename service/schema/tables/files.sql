-- Stored files.

-- The bytes of exports, media, invoices and uploaded knowledge. Written once: a file is readable from `completed_at` on and never changes.
create table file (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  purpose      text not null check (purpose in ('export', 'media', 'invoice', 'knowledge')),
  content_type text not null,
  -- Every chunk but the last has this many bytes, so that a range is found without reading what is before it.
  chunk_bytes  int not null check (chunk_bytes > 0),
  size_bytes   bigint,
  sha256       bytea,
  completed_at timestamptz(3),
  created_at   timestamptz(3) not null default now(),
  check ((completed_at is null) = (size_bytes is null) and (size_bytes is null) = (sha256 is null))
);
create index file_partner on file (partner_id, id);
create index file_client on file (client_id);
create index file_incomplete on file (created_at) where completed_at is null;
call fence('file', 'client_id', 'select, insert, update, delete');

-- A piece of a file.
create table file_chunk (
  file_id    uuid not null references file on delete cascade,
  n          int not null check (n >= 0),
  partner_id uuid not null references partner,
  client_id  uuid references client,
  content    bytea storage external not null check (octet_length(content) between 1 and 1048576),
  primary key (file_id, n)
);
create index file_chunk_client on file_chunk (client_id);
-- A purge walks rows one by one: the order of the index names each once.
create index file_chunk_partner on file_chunk (partner_id, file_id, n);
call fence('file_chunk', 'client_id', 'select, insert, delete');
