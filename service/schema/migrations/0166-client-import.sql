-- Imports of clients, and what each row of a file did. The former values of a changed client are kept for as long as the import can be undone.
create table client_import (
  id uuid primary key,
  partner_id uuid not null references partner,
  created_by uuid references app_user on delete set null,
  filename text not null,
  mode text not null check (mode in ('all', 'valid')),
  created int not null,
  updated int not null,
  unchanged int not null,
  refused int not null,
  -- What the file was read as: answered again to a repeated Idempotency-Key.
  reading jsonb not null,
  key_hash bytea,
  created_at timestamptz(3) not null,
  undo_until timestamptz(3) not null,
  undone_at timestamptz(3),
  undone_by uuid references app_user on delete set null,
  removed int not null default 0,
  restored int not null default 0,
  kept int not null default 0
);
create index client_import_partner on client_import (partner_id, id desc);
create unique index client_import_key on client_import (partner_id, key_hash) where key_hash is not null;
create index client_import_created_by on client_import (created_by);
create index client_import_undone_by on client_import (undone_by);
create index client_import_created on client_import (created_at);
call fence('client_import', null, 'select, insert, update');

create table client_import_row (
  import_id uuid not null references client_import on delete cascade,
  line int not null,
  partner_id uuid not null references partner,
  client_id uuid references client on delete set null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'refused')),
  name text not null,
  field text,
  "column" int,
  cell text,
  code text,
  reason text,
  -- The version of a client that the import created.
  client_version timestamptz(3),
  -- Of a client that the import changed: each changed field with [before, after].
  changes jsonb,
  undo text check (undo in ('removed', 'restored', 'kept')),
  undo_reason text,
  primary key (import_id, line)
);
create unique index client_import_row_partner on client_import_row (partner_id, import_id, line);
create index client_import_row_client on client_import_row (client_id);
call fence('client_import_row', null, 'select, insert, update');

-- The rows of an import are matched by the agency's own reference.
create index client_external_ref on client (partner_id, external_ref) where external_ref is not null;
