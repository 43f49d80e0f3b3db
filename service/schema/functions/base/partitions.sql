-- Creates monthly partitions of a table; existing ones stay.
create or replace function create_month_partitions(parent regclass, from_month date, months int) returns void
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
      -- A query may name a partition directly, so it needs row-level security of its own.
      execute format('alter table %I enable row level security', child);
      execute format('alter table %I force row level security', child);
    end if;
  end loop;
end $$;
revoke execute on function create_month_partitions from public;

-- Registers a partitioned table for monthly partitions and retention, see partitioned_table.
create or replace procedure partition_by_month(parent regclass, keep_days int default null, keep_while text default null)
language plpgsql as $$
begin
  insert into partitioned_table (name, keep_days, keep_while) values (parent, keep_days, keep_while);
  perform create_month_partitions(parent, (now() - interval '1 month')::date, 5);
  execute format('create table %s_other partition of %s default', parent, parent);
  execute format('alter table %s_other enable row level security', parent);
  execute format('alter table %s_other force row level security', parent);
end $$;

-- Creates partitions of a table for the next months and drops those past retention: every hour and at each start, in a transaction for each table. Returns the names of
-- dropped partitions. Both need the whole table for a moment, and who waits for that makes everyone wait: it gives up after half a second, and what is not
-- needed yet is done an hour later.
drop function if exists maintain_partitions();
create or replace function maintain_partitions(of_table regclass) returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent partitioned_table;
  child record;
  is_needed boolean;
  past text[] := '{}';
begin
  -- Processes that start together do this one after another.
  perform pg_advisory_xact_lock(hashtext('maintain_partitions'));
  select * into strict parent from partitioned_table t where t.name = of_table;
  -- Finds past partitions before anything is locked: it may take long.
  for child in
    select c.oid::regclass::text as name, to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent.name and c.relname ~ '_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now() - make_interval(days => parent.keep_days)
  loop
    is_needed := false;
    if parent.keep_while is not null then
      -- Queries the parent: a partition has row-level security but no policies, so it shows no rows when named directly.
      execute format('select exists (select from %s where id >= uuid_floor(%L::timestamptz) and id < uuid_floor(%L::timestamptz) and (%s))',
        parent.name, child.month, child.month + interval '1 month', parent.keep_while) into is_needed;
    end if;
    if not is_needed then past := past || child.name; end if;
  end loop;
  -- The month that has begun is waited for, and who adds rows waits with it: one in the default partition would keep it from ever being made.
  perform create_month_partitions(parent.name, now()::date, 1);
  perform set_config('lock_timeout', '500ms', true);
  begin
    perform create_month_partitions(parent.name, now()::date, 4);
  exception when lock_not_available or deadlock_detected then
    null;
  end;
  for child in select unnest(past) as name loop
    begin
      execute format('drop table %s', child.name);
      return next child.name;
    exception when lock_not_available or deadlock_detected then
      null;
    end;
  end loop;
end $$;
revoke execute on function maintain_partitions from public;
grant execute on function maintain_partitions to portal_system;
