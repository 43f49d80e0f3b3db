-- Makes dispatches due again that back off only because the engine was unreachable, in their original order, the oldest first. Dispatches held
-- for the first contacts of their client stay held, and those of an agent without a flow wait for it, not for the engine.
create or replace function release_delayed_dispatches(most int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with oldest as (
    select d.execution_id from dispatch d where d.due_at > now() and d.claimed_until is null and d.misses = 0 and (d.held_until is null or d.held_until <= now())
      and exists (select from workflow w where w.id = d.workflow_id and w.provider_flow_id is not null)
    order by d.created_at, d.execution_id limit most
  ), held as materialized (
    -- Same lock order as settle_dispatches.
    select d.execution_id from dispatch d where d.execution_id in (select o.execution_id from oldest o) order by d.execution_id for update
  ), released as (
    update dispatch d set due_at = d.created_at from held h where d.execution_id = h.execution_id and d.claimed_until is null returning 1
  ) select count(*)::int from released
$$;
revoke execute on function release_delayed_dispatches from public;
grant execute on function release_delayed_dispatches to portal_service;
