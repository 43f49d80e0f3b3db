-- Claims due dispatches round-robin over partners, at most `share` each, so that a burst of one partner hardly delays the others. Events over
-- 16 KiB share `free_bytes`, and one partner has `share_bytes` of it at most (its first event always): the larger ones wait, others pass.
-- The due time of a claimed row is that of its claim: nothing was sent before.
create or replace function claim_dispatches(worker text, batch int, share int, lease_seconds int, free_bytes int, share_bytes int)
returns table (execution_id uuid, partner_id uuid, workflow_id uuid, client_id uuid, provider_flow_id text, template_name text, attempts int, misses int, created_at timestamptz,
  input jsonb, config jsonb, client_name text, timezone text, business_profile jsonb, last_contact_at timestamptz, opted_out boolean, bytes int)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive waiting as (
    (select d.partner_id from dispatch d order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.partner_id > w.partner_id order by d.partner_id limit 1) from waiting w where w.partner_id is not null)
  ), ranked as (
    select d.execution_id, d.due_at, d.bytes, row_number() over own as turn, sum(d.bytes) over own as own_bytes
    from waiting w cross join lateral (
      select x.execution_id, x.due_at, x.bytes from dispatch x
      where x.partner_id = w.partner_id and x.due_at <= now() and x.claimed_until is null
      order by x.due_at, x.execution_id limit share
    ) d where w.partner_id is not null
    window own as (partition by w.partner_id order by d.due_at, d.execution_id)
  ), weighed as (
    select r.*, sum(case when r.bytes > 16384 then r.bytes else 0 end) over (order by r.turn, r.due_at, r.execution_id) as large_bytes
    from ranked r where r.turn = 1 or r.own_bytes <= share_bytes
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (
      select r.execution_id from weighed r where r.bytes <= 16384 or r.large_bytes <= free_bytes order by r.turn, r.due_at limit batch) and d.claimed_until is null
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds), due_at = now(), attempts = d.attempts + 1
    from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.partner_id, d.workflow_id, d.attempts, d.misses, d.contact, d.created_at, d.bytes
  )
  select c.execution_id, c.partner_id, c.workflow_id, w.client_id, w.provider_flow_id, w.template_name, c.attempts, c.misses, c.created_at, p.input, w.config,
    coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.business_profile, '{}'),
    (select m.last_at from workflow_contact m where m.partner_id = c.partner_id and m.workflow_id = c.workflow_id and m.contact = c.contact),
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.contact), c.bytes
  from claimed c
  left join workflow w on w.id = c.workflow_id
  left join execution_payload p on p.partner_id = c.partner_id and p.id = c.execution_id
  left join client k on k.id = w.client_id
  left join partner a on a.id = c.partner_id
$$;
revoke execute on function claim_dispatches from public;
grant execute on function claim_dispatches to portal_service;
