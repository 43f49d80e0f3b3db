-- Returns the message of the newest failed run of an agent. With the policies of the reader, and without knowing how many runs the agency has, the planner would
-- look for it among all failures of the agency, hence the rights of the owner. One plan for all agents, since planning takes longer than the lookup. A tenant reads its own only, also under the name of another.
create or replace function last_failure_of(agent uuid) returns text
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  failure record;
begin
  -- The last failure of a failing agent is recent: the newest partitions first.
  select e.partner_id, e.client_id, e.error_message into failure from execution e
    where e.workflow_id = agent and e.status = 'FAILED' and e.id >= uuid_floor(now() - interval '31 days') order by e.id desc limit 1;
  if not found then
    select e.partner_id, e.client_id, e.error_message into failure from execution e where e.workflow_id = agent and e.status = 'FAILED' order by e.id desc limit 1;
  end if;
  if current_setting('role') <> 'portal_system' and (failure.partner_id is distinct from app_partner() or (app_client() is not null and failure.client_id is distinct from app_client()))
  then return null;
  end if;
  return failure.error_message;
end $$;
revoke execute on function last_failure_of from public;
grant execute on function last_failure_of to portal_tenant, portal_system;
