-- Returns the message of the newest failed run of an agent, among those whose contents are shown. With the policies of the reader, and without knowing how many runs the agency has, the planner would
-- look for it among all failures of the agency, hence the rights of the owner. A tenant reads its own only, also under the name of another.
create or replace function last_failure_of(agent uuid) returns text
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found record;
begin
  select e.partner_id, e.client_id, e.error_message into found from execution e where e.workflow_id = agent and e.id >= uuid_floor(now() - interval '90 days') and e.status = 'FAILED' order by e.id desc limit 1;
  if current_setting('role') <> 'portal_system' and (found.partner_id is distinct from app_partner() or (app_client() is not null and found.client_id is distinct from app_client()))
  then return null;
  end if;
  return found.error_message;
end $$;
revoke execute on function last_failure_of from public;
grant execute on function last_failure_of to portal_tenant, portal_system;
