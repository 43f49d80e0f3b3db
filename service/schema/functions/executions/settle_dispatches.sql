-- Deletes finished dispatches and reschedules those to be retried.
create or replace function settle_dispatches(done uuid[], again uuid[], again_in_ms int[], missed boolean[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  -- Lock order of all writers of the queue: by execution. Executions may end while they are settled.
  select 1 from dispatch d where d.execution_id = any(done || again) order by d.execution_id for update;
  delete from dispatch where execution_id = any(done);
  update dispatch d set claimed_by = null, claimed_until = null, due_at = now() + make_interval(secs => a.wait_ms / 1000.0), misses = d.misses + a.missed::int
  from unnest(again, again_in_ms, missed) as a(execution_id, wait_ms, missed) where d.execution_id = a.execution_id;
$$;
revoke execute on function settle_dispatches from public;
grant execute on function settle_dispatches to portal_service;
