-- Makes dispatches due again that back off only because the engine was unreachable, in their original order.
create or replace function release_delayed_dispatches() returns void
language sql security definer set search_path = public, pg_temp as $$
  -- Same lock order as settle_dispatches.
  with held as materialized (
    select d.execution_id from dispatch d where d.due_at > now() and d.claimed_until is null and d.misses = 0 order by d.execution_id for update
  )
  update dispatch d set due_at = d.created_at from held h where d.execution_id = h.execution_id
$$;
revoke execute on function release_delayed_dispatches from public;
grant execute on function release_delayed_dispatches to portal_service;
