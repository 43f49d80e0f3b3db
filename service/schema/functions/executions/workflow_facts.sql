-- Returns the facts of a workflow by which its events are read before the batch; cached per process. accept_executions compares `basis`.
create or replace function workflow_facts(workflow_id uuid)
returns table (partner_id uuid, client_id uuid, template_name text, timezone text, business_phone text, locale text, text_countries text[], event_id_from jsonb, date_order text, lead_hours jsonb, delays jsonb, basis text)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select w.partner_id, w.client_id, w.template_name, coalesce(c.timezone, p.timezone), c.phone, coalesce(c.locale, 'en'), c.text_countries, w.event_id_from, w.date_order, w.config->'leadHours', w.config->'delays',
    reading_basis(coalesce(c.timezone, p.timezone), c.phone, c.locale, c.text_countries, w.event_id_from, w.date_order, w.config)
  from workflow w join partner p on p.id = w.partner_id left join client c on c.id = w.client_id where w.id = workflow_id
$$;
revoke execute on function workflow_facts from public;
grant execute on function workflow_facts to portal_service;
