-- Returns what the summary of a finished execution needs, whether its language model used a platform key, and the published rate for its tokens.
create or replace function report_facts(execution_ids uuid[], providers text[]) returns table (ord int, template_name text, input jsonb, on_platform_key boolean, input_credits float8, output_credits float8)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select t.ord::int, w.template_name, shown_input(p.input || coalesce(p.understood, '{}')), coalesce((
    select c.source_mode = 'platform' from engine_connection c
    where t.provider is not null and c.partner_id = e.partner_id and c.provider = t.provider and (c.client_id is null or c.client_id = e.client_id)
    order by c.client_id nulls last limit 1), false), r.input_credits::float8, r.output_credits::float8
  from unnest(execution_ids, providers) with ordinality as t(id, provider, ord)
  join execution e on e.id = t.id
  left join workflow w on w.id = e.workflow_id
  left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  left join lateral (select a.input_credits, a.output_credits from ai_rate a where a.provider = t.provider and a.model = '*' order by a.version desc limit 1) r on true
  order by t.ord
$$;
revoke execute on function report_facts from public;
grant execute on function report_facts to portal_service;
