-- Claims due dispatches round-robin over partners, at most `share` each, so that a burst of one partner hardly delays the others.
-- The due time of a claimed row is that of its claim: nothing was sent before.
create or replace function claim_dispatches(worker text, batch int, share int, lease_seconds int)
returns table (execution_id uuid, partner_id uuid, workflow_id uuid, client_id uuid, provider_flow_id text, template_name text, attempts int, misses int, created_at timestamptz,
  input jsonb, config jsonb, client_name text, timezone text, business_profile jsonb, last_contact_at timestamptz, opted_out boolean)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive waiting as (
    (select d.partner_id from dispatch d order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.partner_id > w.partner_id order by d.partner_id limit 1) from waiting w where w.partner_id is not null)
  ), ranked as (
    select d.execution_id, d.due_at, row_number() over (partition by w.partner_id order by d.due_at, d.execution_id) as turn
    from waiting w cross join lateral (
      select x.execution_id, x.due_at from dispatch x
      where x.partner_id = w.partner_id and x.due_at <= now() and x.claimed_until is null
      order by x.due_at, x.execution_id limit share
    ) d where w.partner_id is not null
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (select r.execution_id from ranked r order by r.turn, r.due_at limit batch) and d.claimed_until is null
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds), due_at = now(), attempts = d.attempts + 1
    from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.partner_id, d.workflow_id, d.attempts, d.misses, d.contact, d.created_at
  )
  select c.execution_id, c.partner_id, c.workflow_id, w.client_id, w.provider_flow_id, w.template_name, c.attempts, c.misses, c.created_at, p.input, w.config,
    coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.business_profile, '{}'),
    (select m.last_at from workflow_contact m where m.partner_id = c.partner_id and m.workflow_id = c.workflow_id and m.contact = c.contact),
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.contact)
  from claimed c
  left join workflow w on w.id = c.workflow_id
  left join execution_payload p on p.partner_id = c.partner_id and p.id = c.execution_id
  left join client k on k.id = w.client_id
  left join partner a on a.id = c.partner_id
$$;
revoke execute on function claim_dispatches from public;
grant execute on function claim_dispatches to portal_service;
