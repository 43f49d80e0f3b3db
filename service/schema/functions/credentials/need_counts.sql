-- Returns for each provider how many agents of an agency need it, and for how many owners (a client, or the agency itself) its key is missing or failed its last check, by
-- the rule of effective_credentials; on each row how many agents need any key. Counts all agents, or those of one client and the agency-wide ones, as in agent_needs.
-- Agents are counted by owner first, so that credentials are joined once for each owner. Row-level security of the caller applies.
create or replace function need_counts(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[])
returns table (provider text, agents int, missing int, failing int, all_agents int)
language plpgsql stable rows 6 set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    with slot as materialized (
      -- An agent is counted once, by the first provider of its template.
      select n.provider, w.client_id, count(*)::int as agents, count(*) filter (where n.place = 1)::int as first_needs
      from workflow w join (
        select x.template_name, x.provider, row_number() over (partition by x.template_name order by x.ord) as place
        from unnest(template_names, providers) with ordinality as x(template_name, provider, ord)
      ) n on n.template_name = w.template_name
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null)
      group by 1, 2
    ), need as (
      select s.provider, sum(s.agents)::int as agents, sum(s.first_needs)::int as first_needs, array_agg(s.client_id) as clients, array_agg(s.provider) as slot_providers from slot s group by 1
    )
    select n.provider, n.agents, count(*) filter (where not c.is_usable)::int, count(*) filter (where c.is_usable and c.last_check_ok is false)::int,
      sum(n.first_needs) over ()::int
    from need n cross join lateral effective_credentials(of_partner, n.clients, n.slot_providers, platform_providers) c
    group by n.provider, n.agents, n.first_needs;
end $$;
revoke execute on function need_counts from public;
grant execute on function need_counts to portal_tenant, portal_system;
