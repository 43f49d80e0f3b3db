-- Rights on the schema, and the registry of tables partitioned by month.
-- Runs as portal_owner. The roles (portal_owner, portal_service, portal_tenant, portal_system) exist before the first migration.

revoke create on schema public from public;
grant usage on schema public to portal_service, portal_tenant, portal_system;

-- Append-only tables are partitioned by month of their UUIDv7 id: lookups by id, keyset pages and retention each touch few partitions.
create table partitioned_table (
  name regclass primary key,
  keep_days int
);
comment on column partitioned_table.keep_days is 'partitions older than this many days are dropped; null: never';
grant select on partitioned_table to portal_system;
