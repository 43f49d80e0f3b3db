-- Deletes an agent and records what must still be removed from the engine. Returns "removed", "busy" while a provisioning attempt of its
-- partner runs (it could recreate the flow), or null when there is no such agent in the caller's scope. `held`: HELD_STATUSES (core/provisioning/instance.ts).
create or replace function remove_agent(agent_id uuid, lease_seconds int, held text[]) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  agent workflow;
  state text;
begin
  select w.* into agent from workflow w where w.id = agent_id
    and (current_setting('role') <> 'portal_tenant' or (w.partner_id = app_partner() and app_client() is null));
  if agent.id is null then return null; end if;
  -- A provisioning attempt claims the same row, so the two cannot overlap.
  select i.status into state from automation_instance i where i.partner_id = agent.partner_id for update;
  if state = any(held) then return 'busy'; end if;
  select w.* into agent from workflow w where w.id = agent_id for update;
  if agent.id is null then return null; end if;
  insert into agent_removal (workflow_id, partner_id, client_id, name, template_name, provider_flow_id, due_at)
  values (agent.id, agent.partner_id, agent.client_id, agent.name, agent.template_name, agent.provider_flow_id, now() + make_interval(secs => lease_seconds));
  -- Whom it has texted is no first contact of its client later, such as when it is installed again.
  insert into first_contact (partner_id, client_id, contact, at, is_known)
  select m.partner_id, agent.client_id, m.contact, '-infinity', true from workflow_contact m where m.workflow_id = agent.id and m.contact like '+%'
  on conflict (partner_id, contact, client_id) do update set is_known = true;
  delete from workflow w where w.id = agent.id;
  return 'removed';
end $$;
revoke execute on function remove_agent from public;
grant execute on function remove_agent to portal_tenant, portal_system;
