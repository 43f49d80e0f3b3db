-- The ground every table stands on: who is asking, how a table is fenced, how append-only tables are cut into months.
-- Runs as portal_owner. The roles (portal_owner, portal_service, portal_tenant, portal_system) exist before the first migration.

revoke create on schema public from public;
grant usage on schema public to portal_service, portal_tenant, portal_system;

-- Who is asking. Set per transaction (set_config(..., true)); unset means no rows.
create function app_partner() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.partner_id', true), '')::uuid $$;
create function app_client() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.client_id', true), '')::uuid $$;

-- The smallest UUIDv7 of an instant: the boundary of a partition by time, and the bound of a keyset read by time.
create function uuid_floor(at timestamptz) returns uuid language sql immutable parallel safe
  as $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $$;

-- Fences a tenant table: row-level security enabled and forced, one policy for the tenant role, one for the system role.
-- client_column: the column a CLIENT caller must match; null when the table has none and clients see nothing of it;
-- 'none' when a client may see all rows of its partner.
create procedure fence(target regclass, client_column text default null, tenant_rights text default 'select')
language plpgsql as $$
declare
  rule text := 'partner_id = (select app_partner())';
begin
  if client_column is null then
    rule := rule || ' and (select app_client()) is null';
  elsif client_column <> 'none' then
    rule := rule || format(' and ((select app_client()) is null or %I = (select app_client()))', client_column);
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant_rows on %s for all to portal_tenant using (%s) with check (%s)', target, rule, rule);
  execute format('create policy system_rows on %s for all to portal_system using (true) with check (true)', target);
  execute format('grant %s on %s to portal_tenant', tenant_rights, target);
  execute format('grant select, insert, update, delete on %s to portal_system', target);
end $$;

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

-- Append-only tables are partitioned by month of their UUIDv7 id, so a look-up by id, a keyset page and a retention sweep each touch few partitions.
create table partitioned_table (
  name regclass primary key,
  keep_days int
);
comment on column partitioned_table.keep_days is 'whole partitions older than this are dropped; null keeps them';
grant select on partitioned_table to portal_system;

create function create_month_partitions(parent regclass, from_month date, months int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date;
  child text;
begin
  for step in 0 .. months - 1 loop
    month := (date_trunc('month', from_month) + make_interval(months => step))::date;
    child := format('%s_%s', parent::text, to_char(month, 'YYYY_MM'));
    if to_regclass(child) is null then
      execute format('create table %I partition of %s for values from (%L) to (%L)', child, parent,
        uuid_floor(month::timestamptz), uuid_floor((month + interval '1 month')::timestamptz));
      -- A child answers for itself when it is named directly: it gets the fence as well.
      execute format('alter table %I enable row level security', child);
      execute format('alter table %I force row level security', child);
    end if;
  end loop;
end $$;

create procedure partition_by_month(parent regclass, keep_days int default null)
language plpgsql as $$
begin
  insert into partitioned_table values (parent, keep_days);
  perform create_month_partitions(parent, (now() - interval '1 month')::date, 5);
  execute format('create table %s_other partition of %s default', parent, parent);
  execute format('alter table %s_other enable row level security', parent);
  execute format('alter table %s_other force row level security', parent);
end $$;

-- Run daily: months ahead exist, months past their keep are dropped. Returns the names of what was dropped.
create function maintain_partitions() returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  child record;
begin
  for parent in select * from partitioned_table loop
    perform create_month_partitions(parent.name, now()::date, 4);
    if parent.keep_days is not null then
      for child in
        select c.oid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = parent.name and c.relname ~ '_\d{4}_\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now() - make_interval(days => parent.keep_days)
      loop
        execute format('drop table %s', child.name);
        return next child.name;
      end loop;
    end if;
  end loop;
end $$;
revoke execute on function create_month_partitions(regclass, date, int), maintain_partitions() from public;
grant execute on function maintain_partitions() to portal_system;
