-- The ground every table stands on: who is asking, how a table is fenced, how append-only tables are cut into months.
-- Runs as portal_owner. The roles (portal_owner, portal_service, portal_tenant, portal_system) exist before the first migration.

revoke create on schema public from public;
grant usage on schema public to portal_service, portal_tenant, portal_system;

-- Append-only tables are partitioned by month of their UUIDv7 id, so a look-up by id, a keyset page and a retention sweep each touch few partitions.
create table partitioned_table (
  name regclass primary key,
  keep_days int
);
comment on column partitioned_table.keep_days is 'whole partitions older than this are dropped; null keeps them';
grant select on partitioned_table to portal_system;
