-- Claims dispatches with an expired lease. The engine may have been called, so it is queried before a retry.
create or replace function claim_expired_dispatches(worker text, batch int, lease_seconds int)
returns table (execution_id uuid, provider_flow_id text, created_at timestamptz)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with chosen as (
    select d.execution_id from dispatch d where d.claimed_until <= now() order by d.claimed_until limit batch for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds) from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.workflow_id, d.created_at
  )
  select c.execution_id, w.provider_flow_id, c.created_at from claimed c left join workflow w on w.id = c.workflow_id
$$;
revoke execute on function claim_expired_dispatches from public;
grant execute on function claim_expired_dispatches to portal_service;
