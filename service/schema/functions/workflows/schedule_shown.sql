-- The schedule of an agent of the client of the session, as its record shows it; null without one. Definer: the fence of workflow_schedule shows clients no row,
-- as what its last check found concerns their agency alone.
create or replace function schedule_shown(agent uuid) returns jsonb
language sql stable parallel safe security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('kind', s.kind, 'every', s.every, 'at', s.at, 'weekdays', s.weekdays, 'timezone', s.timezone, 'enabled', s.enabled)
  from workflow_schedule s join workflow w on w.id = s.workflow_id
  where s.workflow_id = agent and w.partner_id = (select app_partner()) and w.client_id = (select app_client())
$$;
revoke execute on function schedule_shown from public;
grant execute on function schedule_shown to portal_tenant, portal_system;
