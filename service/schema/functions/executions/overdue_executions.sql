-- Returns a batch of executions past their deadline.
create or replace function overdue_executions(batch int) returns table (id uuid, workflow_id uuid, template_name text, input jsonb, minutes int)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.workflow_id, w.template_name, shown_input(p.input), round(extract(epoch from e.due_at - e.started_at) / 60)::int
  from execution e left join workflow w on w.id = e.workflow_id left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  where e.status = 'RUNNING' and e.due_at <= now() order by e.due_at limit batch
$$;
revoke execute on function overdue_executions from public;
grant execute on function overdue_executions to portal_service;

-- Returns the flow of overdue executions in the engine and their start; the flow is null when the execution was never sent. `due` is false
-- when the deadline was moved meanwhile.
create or replace function overdue_in_engine(execution_ids uuid[]) returns table (id uuid, provider_flow_id text, started_at timestamptz, extended boolean, due boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, case when exists (select 1 from dispatch d where d.execution_id = e.id and d.attempts = 0) then null else w.provider_flow_id end,
    e.started_at, e.extended, e.status = 'RUNNING' and e.due_at <= now()
  from execution e left join workflow w on w.id = e.workflow_id
  where e.id = any(execution_ids)
$$;
revoke execute on function overdue_in_engine from public;
grant execute on function overdue_in_engine to portal_service;
