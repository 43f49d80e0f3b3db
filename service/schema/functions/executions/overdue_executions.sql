-- Returns a batch of executions past their deadline, without those that are being sent: their time restarts. `waited`: nothing of it was sent, and it has waited for
-- `wait_minutes`; `attempted`: calls were made for it, none of which arrived. After less it is not overdue, whether or not await_capacity has moved its
-- deadline yet: while many wait, more reach theirs meanwhile.
create or replace function overdue_executions(wait_minutes int, batch int) returns table (id uuid, workflow_id uuid, template_name text, input jsonb, minutes int, waited boolean, attempted boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.workflow_id, w.template_name, shown_input(p.input || coalesce(p.understood, '{}')), greatest(round(extract(epoch from e.due_at - coalesce(u.handed_at, e.started_at)) / 60)::int, case when d.execution_id is not null then wait_minutes end),
    d.execution_id is not null, coalesce(d.attempts > 0, false)
  from execution e left join workflow w on w.id = e.workflow_id left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  left join under_way u on u.execution_id = e.id
  -- A claim counts an attempt before its call; while nothing was sent no one holds it, as in await_capacity and in finish_executions (`queued`).
  left join dispatch d on d.execution_id = e.id and d.claimed_until is null
  where e.status = 'RUNNING' and e.due_at <= now() and not is_being_sent(e.id)
    and (d.execution_id is null or greatest(e.started_at, d.held_until) <= now() - make_interval(mins => wait_minutes))
  order by e.due_at limit batch
$$;
revoke execute on function overdue_executions from public;
grant execute on function overdue_executions to portal_service;

-- Moves the deadline of executions that still wait to be sent to the end of the longest wait, once each: until then they are not overdue. The wait of one that
-- was held for the first contacts of its client begins at its hour. Returns how many.
create or replace function await_capacity(wait_minutes int, batch int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with late as (
    select e.id, greatest(e.started_at, d.held_until) as since from execution e join dispatch d on d.execution_id = e.id and d.claimed_until is null
    where e.status = 'RUNNING' and e.due_at <= now() and greatest(e.started_at, d.held_until) > now() - make_interval(mins => wait_minutes)
    order by e.due_at limit batch
  ), held as materialized (
    select e.id, l.since from execution e join late l on l.id = e.id order by e.id for update of e
  ), moved as (
    update execution e set due_at = h.since + make_interval(mins => wait_minutes) from held h where e.id = h.id and e.status = 'RUNNING' and e.due_at <= now() returning 1
  ) select count(*)::int from moved
$$;
revoke execute on function await_capacity from public;
grant execute on function await_capacity to portal_service;

-- Returns the flow of overdue executions in the engine and their start; the flow is null when the execution was never sent. `due` is false
-- when the deadline was moved meanwhile, or it is being sent.
create or replace function overdue_in_engine(execution_ids uuid[]) returns table (id uuid, provider_flow_id text, started_at timestamptz, extended boolean, due boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, case when exists (select 1 from dispatch d where d.execution_id = e.id and d.claimed_until is null) then null else w.provider_flow_id end,
    coalesce((select u.handed_at from under_way u where u.execution_id = e.id), e.started_at), e.extended, e.status = 'RUNNING' and e.due_at <= now() and not is_being_sent(e.id)
  from execution e left join workflow w on w.id = e.workflow_id
  where e.id = any(execution_ids)
$$;
revoke execute on function overdue_in_engine from public;
grant execute on function overdue_in_engine to portal_service;
