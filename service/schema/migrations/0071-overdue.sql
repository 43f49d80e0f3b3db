-- Before the timeout job ends a run it asks the engine. What is still running there is given more time, once.

alter table execution add column extended boolean not null default false;
comment on column execution.extended is 'the engine was still running it at its deadline, which was moved once';

-- Where the engine would know an overdue run, and since when; null where it was never sent. `due` is false for a run whose
-- deadline somebody else has moved meanwhile.
create function overdue_in_engine(execution_ids uuid[]) returns table (id uuid, provider_flow_id text, started_at timestamptz, extended boolean, due boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, case when exists (select 1 from dispatch d where d.execution_id = e.id and d.attempts = 0) then null else w.provider_flow_id end,
    e.started_at, e.extended, e.status = 'RUNNING' and e.due_at <= now()
  from execution e left join workflow w on w.id = e.workflow_id
  where e.id = any(execution_ids)
$$;

-- Moves the deadline of runs that are still running, each at most once. Returns those that were moved.
create function extend_executions(execution_ids uuid[], minutes int) returns table (id uuid)
language sql security definer set search_path = public, pg_temp as $$
  update execution e set due_at = now() + make_interval(mins => minutes), extended = true
  where e.id = any(execution_ids) and e.status = 'RUNNING' and not e.extended
  returning e.id
$$;

revoke execute on function overdue_in_engine, extend_executions from public;
grant execute on function overdue_in_engine, extend_executions to portal_service;
