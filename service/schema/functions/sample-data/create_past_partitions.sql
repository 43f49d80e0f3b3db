-- Creates the partitions of past months, before rows of that time are written: in the default partition they would outlive the retention of their table.
create or replace function create_past_partitions(since date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent regclass;
begin
  perform pg_advisory_xact_lock(hashtext('maintain_partitions'));
  foreach parent in array array['ai_call', 'execution', 'execution_payload', 'usage_entry']::regclass[] loop
    perform create_month_partitions(parent, month::date, 1) from generate_series(date_trunc('month', since), date_trunc('month', now()), interval '1 month') month;
  end loop;
end $$;
revoke execute on function create_past_partitions from public;
grant execute on function create_past_partitions to portal_system;
