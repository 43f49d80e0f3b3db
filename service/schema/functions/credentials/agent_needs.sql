-- Returns what the agents of an agency need, each with the credential that counts: of all agents, or of those of one client and the agency-wide ones. By client name
-- (agency-wide agents first), agent name, and the template's own order. With `at_most`, of that many agents: of one client its own before agency-wide ones, then those that lack a
-- key or have one that failed its last check, by the rule of core/credential/resolution.ts, then the newest; `agents` counts all of an owner that need the provider. The agents are
-- chosen by what their owner lacks, with a bit for each provider, so that only those are joined with each credential. Joined by hashes (enable_nestloop): the planner expects the dozen agents of an average
-- agency, and would look up three rows for each need of thousands. Names of clients are read by their keys, for the agents that are returned. Row-level security of the caller applies.
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
    with stored as materialized (
      select c.id, coalesce(c.client_id, agency) as owner, c.client_id, c.provider, c.source_mode, c.sealed is not null as has_value, c.last_check_ok, c.last_check_message,
        c.last_check_ok is false or not case when c.source_mode = 'platform' then c.provider = any(platform_providers) else c.sealed is not null end as is_lacking
      from credential c where c.partner_id = of_partner and (of_client is null or c.client_id = of_client or c.client_id is null)
    ), provider as materialized (
      select p.provider, 1 << (row_number() over ())::int as bit from (select distinct unnest(providers)) p(provider)
    ), wanted as materialized (
      select n.template_name, n.provider, n.ord, p.bit
      from unnest(template_names, providers) with ordinality as n(template_name, provider, ord) join provider p on p.provider = n.provider
    ), template as (
      select n.template_name, bit_or(n.bit) as needs, coalesce(bit_or(n.bit) filter (where d.id is null or d.is_lacking), 0) as lacking_at_agency
      from wanted n left join stored d on d.owner = agency and d.provider = n.provider group by 1
    ), owner as (
      select s.owner, bit_or(p.bit) as own, coalesce(bit_or(p.bit) filter (where s.is_lacking), 0) as lacking
      from stored s join provider p on p.provider = s.provider where s.owner <> agency group by 1
    ), chosen as materialized (
      select w.id, w.client_id, coalesce(w.client_id, agency) as owner, w.template_name
      from workflow w join template t on t.template_name = w.template_name left join owner o on o.owner = w.client_id
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null)
      order by of_client is not null and w.client_id is null,
        case when o.owner is null then t.lacking_at_agency <> 0 else t.needs & o.lacking <> 0 or t.lacking_at_agency & ~o.own <> 0 end desc, w.id desc
      limit at_most
    ), named as materialized (
      select x.*, row_number() over (order by x.client_name nulls first, x.name, x.id) as place
      from (
        select c.*, (select w.name from workflow w where w.id = c.id) as name, (select k.name from client k where k.partner_id = of_partner and k.id = c.client_id) as client_name
        from chosen c
      ) x
    ), counts as (
      -- By the key of an owner: the agents of those that are returned.
      select k.owner, n.provider, count(*)::int as agents
      from (select distinct x.owner, x.client_id from chosen x) k cross join lateral (
        select w.template_name from workflow w where w.partner_id = of_partner and w.client_id = k.client_id
        union all select w.template_name from workflow w where k.client_id is null and w.partner_id = of_partner and w.client_id is null offset 0
      ) a join wanted n on n.template_name = a.template_name group by 1, 2
    )
    select s.id, s.name, of_partner, s.client_id, s.client_name, s.template_name, n.provider,
      case when o.id is null then d.id else o.id end, case when o.id is null then d.client_id else o.client_id end,
      case when o.id is null then d.source_mode else o.source_mode end, coalesce(case when o.id is null then d.has_value else o.has_value end, false),
      case when o.id is null then d.last_check_ok else o.last_check_ok end, case when o.id is null then d.last_check_message else o.last_check_message end, c.agents
    from named s join wanted n on n.template_name = s.template_name join counts c on c.owner = s.owner and c.provider = n.provider
    left join stored o on o.owner = s.client_id and o.provider = n.provider
    left join stored d on d.owner = agency and d.provider = n.provider
    order by s.place, n.ord;
end $$;
revoke execute on function agent_needs from public;
grant execute on function agent_needs to portal_tenant, portal_system;
