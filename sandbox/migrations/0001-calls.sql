-- Every call the stand-ins received, and the bookings that were made at one of them.
-- Kept small by the writer: this is a developer's outbox, not a ledger.
create table sandbox.call (
  id uuid primary key default uuidv7(),
  at timestamptz not null default now(),
  provider text not null,
  method text not null,
  path text not null,
  body text,
  status int not null
);
create index call_provider_id on sandbox.call (provider, id desc);

create table sandbox.booking (
  uid text primary key,
  record jsonb not null,
  created_at timestamptz not null default now()
);
