-- Everything the embedded engine keeps. Ids are the protocol's 21 characters; those of runs begin with their time,
-- so that "C" order is time order and partitions are ranges of ids.

create table engine.platform (
  singleton boolean primary key default true check (singleton),
  id text not null,
  user_id text not null,
  identity_id text not null,
  created timestamptz(3) not null default now()
);

-- The one process that may execute runs holds an advisory lock; the epoch fences off writes of one that lost it.
create table engine.executor (
  singleton boolean primary key default true check (singleton),
  epoch bigint not null
);
insert into engine.executor (epoch) values (0);

create table engine.project (
  id text primary key,
  display_name text not null,
  external_id text,
  type text not null check (type in ('PERSONAL', 'TEAM')),
  metadata json,
  plan_id text not null,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now()
);
-- The recorded edition allows one team project; as an index the rule also holds for two calls at once.
create unique index project_one_per_type on engine.project (type);

create table engine.app_connection (
  id text primary key,
  project_id text not null references engine.project (id) on delete cascade,
  external_id text not null,
  display_name text not null,
  type text not null,
  status text not null,
  piece_name text not null,
  piece_version text not null,
  metadata json,
  sealed bytea not null,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now(),
  unique (project_id, external_id)
);
create index app_connection_listed on engine.app_connection (project_id, created, id);

create table engine.flow (
  id text primary key,
  project_id text not null references engine.project (id) on delete cascade,
  external_id text not null,
  status text not null default 'DISABLED' check (status in ('ENABLED', 'DISABLED')),
  published_version_id text,
  metadata json,
  created timestamptz(3) not null default now(),
  updated timestamptz(3) not null default now()
);
create index flow_listed on engine.flow (project_id, status desc, updated desc, id desc);

create table engine.flow_version (
  id text primary key,
  flow_id text not null references engine.flow (id) on delete cascade,
  display_name text not null,
  -- json, not jsonb: the order of members reaches the bodies that steps send.
  trigger json not null,
  valid boolean not null,
  state text not null check (state in ('DRAFT', 'LOCKED')),
  schema_version text not null,
  connection_ids text[] not null default '{}',
  notes json not null default '[]',
  created timestamptz(3) not null default clock_timestamp(),
  updated timestamptz(3) not null default clock_timestamp()
);
create index flow_version_of_flow on engine.flow_version (flow_id, created desc, id);
create unique index flow_version_one_draft on engine.flow_version (flow_id) where state = 'DRAFT';

create table engine.run (
  id text collate "C" not null primary key,
  project_id text not null,
  flow_id text not null,
  flow_version_id text not null,
  environment text not null,
  fairness_key text not null,
  -- JSON as text: neither parsed nor reordered on the way.
  input text not null,
  status text not null default 'QUEUED',
  created timestamptz(3) not null,
  updated timestamptz(3) not null,
  start_time timestamptz(3),
  finish_time timestamptz(3),
  failed_step json,
  steps_count integer
) partition by range (id);
create index run_of_flow on engine.run (flow_id, id desc);
create index run_unfinished on engine.run (id) where finish_time is null;

create table engine.run_step (
  run_id text collate "C" not null,
  path text not null,
  seq integer not null,
  type text not null,
  status text not null,
  input text not null,
  output text,
  error_message text,
  duration_ms double precision not null,
  primary key (run_id, path)
) partition by range (run_id);
