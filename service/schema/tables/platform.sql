-- Tables of the platform, rights on the schema, and extensions. Runs as portal_owner; the roles (portal_owner, portal_service, portal_tenant,
-- portal_system) and the functions of functions/base exist before.

revoke create on schema public from public;
grant usage on schema public to portal_service, portal_tenant, portal_system;

-- Search for misspelt words (trigrams), and indexes of words that begin with an id.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Append-only tables, partitioned by month of their UUIDv7 id: lookups by id, keyset pages and retention each touch few partitions.
create table partitioned_table (
  name       regclass primary key,
  -- Partitions older than this many days are dropped; null means never.
  keep_days  int,
  -- SQL condition; a partition with a matching row is not dropped.
  keep_while text
);
grant select on partitioned_table to portal_system;

-- Rate-limit counters shared by all processes. Unlogged: losing them in a crash is acceptable (limits that must hold, such as five MFA attempts, are
-- columns). The only table the login role uses outside a transaction; it holds no tenant data.
create unlogged table rate_limit (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
grant select, insert, update, delete on rate_limit to portal_service;
-- Counters are keyed by addresses and ids of people; a purge removes theirs.
grant select, delete on rate_limit to portal_system;

-- When a process last said that it takes jobs. One row, which the first start writes in any role, so that a service without workers differs from one that has just started.
create table worker_heartbeat (
  id      boolean primary key default true check (id),
  seen_at timestamptz(3) not null default now()
);
