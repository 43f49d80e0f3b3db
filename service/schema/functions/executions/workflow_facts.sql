-- Returns the immutable facts of a workflow, for validating a body before the batch; cached per process.
create or replace function workflow_facts(workflow_id uuid) returns table (partner_id uuid, client_id uuid, template_name text)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select w.partner_id, w.client_id, w.template_name from workflow w where w.id = workflow_id
$$;
revoke execute on function workflow_facts from public;
grant execute on function workflow_facts to portal_service;
