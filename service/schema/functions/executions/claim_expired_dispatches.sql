-- Claims dispatches whose outcome is unknown and due to be looked up: an expired lease (its process died), or no response. The engine may have
-- stored them, so it is asked before anything is sent again. Round-robin over partners, at most `share` each. `is_being_set_up`: as in claim_dispatches.
-- `is_flow_replaced`: its flow may have been deleted since it was sent, and with it what the engine knows of the run.
create or replace function claim_expired_dispatches(worker text, batch int, share int, lease_seconds int)
returns table (execution_id uuid, workflow_id uuid, provider_flow_id text, attempts int, sent_at timestamptz, is_being_set_up boolean, is_flow_replaced boolean)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive claiming as (
    (select d.partner_id from dispatch d where d.claimed_until is not null order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.claimed_until is not null and d.partner_id > c.partner_id order by d.partner_id limit 1)
     from claiming c where c.partner_id is not null)
  ), ranked as (
    select d.execution_id, d.claimed_until, row_number() over (partition by c.partner_id order by d.claimed_until, d.execution_id) as turn
    from claiming c cross join lateral (
      select x.execution_id, x.claimed_until from dispatch x
      where x.partner_id = c.partner_id and x.claimed_until <= now() order by x.claimed_until, x.execution_id limit share
    ) d where c.partner_id is not null
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (select r.execution_id from ranked r order by r.turn, r.claimed_until limit batch) and d.claimed_until <= now()
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds) from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.partner_id, d.workflow_id, d.attempts, d.due_at
  )
  select c.execution_id, c.workflow_id, w.provider_flow_id, c.attempts, c.due_at,
    exists (select from automation_instance i where i.partner_id = c.partner_id and i.status in ('provisioning', 'deprovisioning')),
    exists (select from provisioning_attempt a where a.partner_id = c.partner_id and a.mode in ('recreate', 'deprovision') and coalesce(a.finished_at, now()) > c.due_at)
  from claimed c left join workflow w on w.id = c.workflow_id
$$;
revoke execute on function claim_expired_dispatches from public;
grant execute on function claim_expired_dispatches to portal_service;
