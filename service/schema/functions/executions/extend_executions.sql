-- Extends the deadline of running executions, each at most once. Returns the extended ones.
create or replace function extend_executions(execution_ids uuid[], minutes int) returns table (id uuid)
language sql security definer set search_path = public, pg_temp as $$
  update execution e set due_at = now() + make_interval(mins => minutes), extended = true
  where e.id = any(execution_ids) and e.status = 'RUNNING' and not e.extended
  returning e.id
$$;
revoke execute on function extend_executions from public;
grant execute on function extend_executions to portal_service;
