-- Returns for each provider how many agents of an agency need it, and for how many owners (a client, or the agency itself) its key is missing or failed its last check, by
-- the rule of core/credential/resolution.ts; on each row how many agents need any key. Of all agents, or of those of one client and the agency-wide ones, as in agent_needs.
-- Agents are counted by owner first, so that credentials are joined once for each owner. Joined and grouped by hashes (enable_nestloop, enable_sort): the planner expects the dozen
-- agents of an average agency. Row-level security of the caller applies.
create or replace function need_counts(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[])
returns table (provider text, agents int, missing int, failing int, all_agents int)
language plpgsql stable rows 6 set search_path = public, pg_temp set enable_nestloop = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
    select s.provider, sum(s.agents)::int, count(*) filter (where not u.is_usable)::int, count(*) filter (where u.is_usable and c.last_check_ok is false)::int,
      sum(sum(s.first_needs)) over ()::int
    from (
      -- An agent is counted once, by the first provider of its template.
      select n.provider, w.client_id, count(*)::int as agents, count(*) filter (where n.place = 1)::int as first_needs
      from workflow w join (
        select x.template_name, x.provider, row_number() over (partition by x.template_name order by x.ord) as place
        from unnest(template_names, providers) with ordinality as x(template_name, provider, ord)
      ) n on n.template_name = w.template_name
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null)
      group by 1, 2
    ) s
    left join credential o on o.partner_id = of_partner and o.client_id = s.client_id and o.provider = s.provider and (of_client is null or o.client_id = of_client)
    left join credential d on d.partner_id = of_partner and d.client_id is null and d.provider = s.provider
    cross join lateral (select case when o.id is null then d.source_mode else o.source_mode end as source_mode, case when o.id is null then d.sealed else o.sealed end is not null as has_value,
      case when o.id is null then d.last_check_ok else o.last_check_ok end as last_check_ok) c
    cross join lateral (select case when c.source_mode = 'platform' then s.provider = any(platform_providers) else c.has_value end as is_usable) u
    group by s.provider;
end $$;
revoke execute on function need_counts from public;
grant execute on function need_counts to portal_tenant, portal_system;
