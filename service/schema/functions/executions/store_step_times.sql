-- Stores the engine's step times, once: a finished execution does not change.
create or replace function store_step_times(execution_id uuid, new_steps jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  update execution_payload p set steps = new_steps, timed = true from execution e
  where e.id = execution_id and p.partner_id = e.partner_id and p.id = e.id and not p.timed
$$;
revoke execute on function store_step_times from public;
grant execute on function store_step_times to portal_service;
