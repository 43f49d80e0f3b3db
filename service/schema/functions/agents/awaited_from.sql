-- Returns from when on an agent is expected to run, for its silence: when it, its client or its agency was switched on again, or the next due time of a schedule whose last
-- one started its run. Infinity while it has run in sample data only. Null: since its last run.
create or replace function awaited_from(agent uuid, of_partner uuid, on_since timestamptz, last_run_at timestamptz) returns timestamptz
language sql stable parallel safe security definer set search_path = public, pg_temp as $$
  select greatest(on_since,
    (select s.due_at from workflow_schedule s where s.workflow_id = agent and s.kind = 'run' and coalesce(s.last_outcome, 'started') = 'started'),
    (select 'infinity'::timestamptz from sample_data d where d.partner_id = of_partner and last_run_at < d.ends_at))
$$;
revoke execute on function awaited_from from public;
grant execute on function awaited_from to portal_tenant, portal_system;

-- Notes since when an agent runs again that was switched off, or whose client or agency was suspended.
create or replace function note_agent_on() returns trigger language plpgsql as $$
begin
  new.on_since := now();
  return new;
end $$;
revoke execute on function note_agent_on from public;

create or replace trigger workflow_on before update of is_active on workflow for each row when (new.is_active and not old.is_active) execute function note_agent_on();

create or replace function note_agents_on() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- In the lock order of all writers of agents: by id.
  with resumed as materialized (
    select w.id from workflow w where w.partner_id = coalesce((to_jsonb(new)->>'partner_id')::uuid, new.id) and (tg_table_name = 'partner' or w.client_id = new.id)
    order by w.id for no key update
  )
  update workflow w set on_since = now() from resumed r where w.id = r.id;
  return null;
end $$;
revoke execute on function note_agents_on from public;

create or replace trigger client_agents_on after update of status on client for each row when (new.status = 'active' and old.status <> 'active') execute function note_agents_on();
create or replace trigger partner_agents_on after update of status on partner for each row when (new.status = 'active' and old.status <> 'active') execute function note_agents_on();
