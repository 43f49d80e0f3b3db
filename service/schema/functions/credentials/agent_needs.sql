-- Returns what the agents of an agency need, each with the credential that counts by the rule of effective_credentials: of all agents, or of those of one client and the agency-wide
-- ones. By client name (agency-wide agents first), agent name, and the template's own order. With `at_most`, of that many agents: of one client its own before agency-wide ones, then
-- those that lack a key or have one that failed its last check, then the newest; `agents` counts all of an owner that need the provider. Credentials are joined once for each owner
-- and provider. Joined by hashes (enable_nestloop): the planner expects the dozen agents of an average agency, and would look up three rows for each need of thousands.
-- Names of clients are read by their keys, for the agents that are returned. Row-level security of the caller applies.
create or replace function agent_needs(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[], at_most int)
returns table (agent_id uuid, agent_name text, partner_id uuid, client_id uuid, client_name text, template_name text, provider text,
  credential_id uuid, credential_client_id uuid, source_mode text, has_value boolean, last_check_ok boolean, last_check_message text, agents int)
language plpgsql stable rows 20 set search_path = public, pg_temp set enable_nestloop = off as $$
#variable_conflict use_column
declare
  -- The agency's own, as an owner.
  agency constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
    with wanted as materialized (
      select n.template_name, n.provider, n.ord from unnest(template_names, providers) with ordinality as n(template_name, provider, ord)
    ), slot as materialized (
      select w.client_id, n.provider, count(*)::int as agents
      from workflow w join wanted n on n.template_name = w.template_name
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null) group by 1, 2
    ), state as materialized (
      select coalesce(c.slot_client_id, agency) as owner, c.*, c.last_check_ok is false or not c.is_usable as is_lacking
      from (select array_agg(s.client_id) as clients, array_agg(s.provider) as slot_providers from slot s) slots
      cross join lateral effective_credentials(of_partner, slots.clients, slots.slot_providers, platform_providers) c
    ), lacking as (
      select distinct s.owner, n.template_name from state s join wanted n on n.provider = s.slot_provider where s.is_lacking
    ), chosen as materialized (
      select w.id, w.client_id, coalesce(w.client_id, agency) as owner, w.template_name
      from workflow w left join lacking l on l.owner = coalesce(w.client_id, agency) and l.template_name = w.template_name
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null) and w.template_name = any(template_names)
      order by of_client is not null and w.client_id is null, l.owner is not null desc, w.id desc
      limit at_most
    ), named as materialized (
      select x.*, row_number() over (order by x.client_name nulls first, x.name, x.id) as place
      from (
        select c.*, (select w.name from workflow w where w.id = c.id) as name, (select k.name from client k where k.partner_id = of_partner and k.id = c.client_id) as client_name
        from chosen c
      ) x
    )
    select a.id, a.name, of_partner, a.client_id, a.client_name, a.template_name, n.provider,
      s.id, s.client_id, s.source_mode, coalesce(s.has_value, false), s.last_check_ok, s.last_check_message, t.agents
    from named a join wanted n on n.template_name = a.template_name
    join state s on s.owner = a.owner and s.slot_provider = n.provider
    join slot t on coalesce(t.client_id, agency) = a.owner and t.provider = n.provider
    order by a.place, n.ord;
end $$;
revoke execute on function agent_needs from public;
grant execute on function agent_needs to portal_tenant, portal_system;
