-- Returns what the agents of an agency need, each with the credential that counts: of all agents, or of those of one client and the agency-wide ones. By client name
-- (agency-wide agents first), agent name, and the template's own order. With `at_most`, of that many agents: of one client its own before agency-wide ones, then those that lack a
-- key or have one that failed its last check, by the rule of core/credential/resolution.ts, then the newest; `agents` counts all of an owner that need the provider. Joined by hashes (enable_nestloop): the planner expects the dozen agents of an average agency, and would
-- look up three rows for each need of thousands. Names of clients are read by their keys, for the agents that are returned. Row-level security of the caller applies.
create or replace function agent_needs(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[], at_most int)
returns table (agent_id uuid, agent_name text, partner_id uuid, client_id uuid, client_name text, template_name text, provider text,
  credential_id uuid, credential_client_id uuid, source_mode text, has_value boolean, last_check_ok boolean, last_check_message text, agents int)
language plpgsql stable rows 20 set search_path = public, pg_temp set enable_nestloop = off as $$
#variable_conflict use_column
begin
  return query
    with need as materialized (
      select w.id, w.name, w.partner_id, w.client_id, w.template_name, n.provider, n.ord,
        case when o.id is null then d.id else o.id end as credential_id, case when o.id is null then d.client_id else o.client_id end as credential_client_id,
        case when o.id is null then d.source_mode else o.source_mode end as source_mode, case when o.id is null then d.sealed else o.sealed end is not null as has_value,
        case when o.id is null then d.last_check_ok else o.last_check_ok end as last_check_ok,
        case when o.id is null then d.last_check_message else o.last_check_message end as last_check_message,
        (count(*) over (partition by w.client_id, n.provider))::int as agents
      from workflow w join unnest(template_names, providers) with ordinality as n(template_name, provider, ord) on n.template_name = w.template_name
      left join credential o on o.partner_id = of_partner and o.client_id = w.client_id and o.provider = n.provider and (of_client is null or o.client_id = of_client)
      left join credential d on d.partner_id = of_partner and d.client_id is null and d.provider = n.provider
      where w.partner_id = of_partner and (of_client is null or w.client_id = of_client or w.client_id is null)
    ), chosen as (
      select x.id from need x group by x.id, x.client_id
      order by of_client is not null and x.client_id is null, bool_or(x.last_check_ok is false or not case when x.source_mode = 'platform' then x.provider = any(platform_providers) else x.has_value end) desc, x.id desc
      limit at_most
    )
    select s.id, s.name, s.partner_id, s.client_id, s.client_name, s.template_name, s.provider,
      s.credential_id, s.credential_client_id, s.source_mode, s.has_value, s.last_check_ok, s.last_check_message, s.agents
    from (select x.*, (select k.name from client k where k.partner_id = of_partner and k.id = x.client_id) as client_name from need x join chosen on chosen.id = x.id) s
    order by s.client_name nulls first, s.name, s.id, s.ord;
end $$;
revoke execute on function agent_needs from public;
grant execute on function agent_needs to portal_tenant, portal_system;
