-- Clients of agencies, and their import.

-- A business that an agency works for.
create table client (
  id                      uuid primary key default uuidv7(),
  partner_id              uuid not null references partner,
  name                    text not null,
  status                  text not null default 'active' check (status in ('active', 'suspended', 'archived', 'deleted')),
  contact_name            text,
  contact_email           text,
  phone                   text,
  website                 text,
  timezone                text not null default 'UTC',
  industry                text,
  external_ref            text,
  notes                   text,
  business_profile        jsonb not null default '{}',
  created_at              timestamptz(3) not null default now(),
  updated_at              timestamptz(3) not null default now(),
  suspended_at            timestamptz(3),
  suspension_reason       text,
  -- Null while the client is not suspended.
  suspension_cause        text check (suspension_cause in ('manual', 'deletion_approved')),
  -- The language of what the product writes to the business, and of its people until they choose their own.
  locale                  text not null default 'en' check (locale in ('en', 'de', 'es')),
  -- ISO codes of the countries whose numbers are texted; null means the client's own.
  text_countries          text[] check (cardinality(text_countries) between 1 and 300 and array_position(text_countries, null) is null),
  -- People who are texted for the first time in an hour, at most; null means the default of the service.
  first_contacts_per_hour int check (first_contacts_per_hour between 1 and 10000)
);
create index client_partner on client (partner_id, created_at desc, id desc);
-- The rows of an import are matched by the agency's own reference.
create index client_external_ref on client (partner_id, external_ref) where external_ref is not null;
call fence('client', 'id', 'select, insert, update');

-- An import of clients from a file. It can be undone until `undo_until`.
create table client_import (
  id         uuid primary key,
  partner_id uuid not null references partner,
  -- References app_user, see identity.sql; so does undone_by.
  created_by uuid,
  filename   text not null,
  mode       text not null check (mode in ('all', 'valid')),
  created    int not null,
  updated    int not null,
  unchanged  int not null,
  refused    int not null,
  -- How the file was read: returned again for a repeated Idempotency-Key.
  reading    jsonb not null,
  key_hash   bytea,
  created_at timestamptz(3) not null,
  undo_until timestamptz(3) not null,
  undone_at  timestamptz(3),
  undone_by  uuid,
  removed    int not null default 0,
  restored   int not null default 0,
  kept       int not null default 0,
  -- Hash of the file and its settings, compared when key_hash comes again.
  body_hash  bytea
);
create index client_import_partner on client_import (partner_id, id desc);
create unique index client_import_key on client_import (partner_id, key_hash) where key_hash is not null;
create index client_import_created_by on client_import (created_by);
create index client_import_undone_by on client_import (undone_by);
create index client_import_created on client_import (created_at);
call fence('client_import', null, 'select, insert, update');

-- The effect of an import on a row of the file. The former values of a changed client are kept while the import can be undone.
create table client_import_row (
  import_id      uuid not null references client_import on delete cascade,
  line           int not null,
  partner_id     uuid not null references partner,
  client_id      uuid references client on delete set null,
  outcome        text not null check (outcome in ('created', 'updated', 'unchanged', 'refused')),
  name           text not null,
  field          text,
  "column"       int,
  cell           text,
  code           text,
  reason         text,
  -- The version of a client that the import created.
  client_version timestamptz(3),
  -- For a client that the import changed: each changed field with [before, after].
  changes        jsonb,
  undo           text check (undo in ('removed', 'restored', 'kept')),
  undo_reason    text,
  primary key (import_id, line)
);
create unique index client_import_row_partner on client_import_row (partner_id, import_id, line);
create index client_import_row_client on client_import_row (client_id);
call fence('client_import_row', null, 'select, insert, update');
