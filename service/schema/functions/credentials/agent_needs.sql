-- Returns what the agents of an agency need, each with the credential that counts: all agents, or those of one client and the agency-wide ones. By client name
-- (agency-wide agents first), agent name, and the template's own order. Joined by
-- hashes (enable_nestloop): the planner expects the dozen agents of an average agency, and would look up three rows for each need of thousands. Row-level
-- security of the caller applies.
create or replace function agent_needs(of_partner uuid, of_client uuid, template_names text[], providers text[])
returns table (agent_id uuid, agent_name text, partner_id uuid, client_id uuid, client_name text, template_name text, is_active boolean, provider text,
  credential_id uuid, credential_client_id uuid, source_mode text, has_value boolean, last_check_ok boolean, last_check_message text)
language plpgsql stable rows 20 set search_path = public, pg_temp set enable_nestloop = off as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.partner_id, w.client_id, k.name, w.template_name, w.is_active and coalesce(k.status, 'active') = 'active', n.provider,
      c.id, c.client_id, c.source_mode, c.has_value, c.last_check_ok, c.last_check_message
    from workflow w join unnest(template_names, providers) with ordinality as n(template_name, provider, ord) on n.template_name = w.template_name
    left join client k on k.partner_id = of_partner and k.id = w.client_id and (of_client is null or k.id = of_client)
    left join credential o on o.partner_id = of_partner and o.client_id = w.client_id and o.provider = n.provider and (of_client is null or o.client_id = of_client)
    left join credential d on d.partner_id = of_partner and d.client_id is null and d.provider = n.provider
    cross join lateral (select x.id, x.client_id, x.source_mode, x.sealed is not null as has_value, x.last_check_ok, x.last_check_message
      from (select (case when o.id is null then d else o end).*) x) c
    where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null)
    order by k.name nulls first, w.name, w.id, n.ord;
end $$;
revoke execute on function agent_needs from public;
grant execute on function agent_needs to portal_tenant, portal_system;
