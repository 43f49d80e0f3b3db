-- Returns the keys that active agents of an agency, or of one of its clients, lack: by provider and client, those of the agency itself last, with the names of the
-- agents. At most `at_most` keys. A key counts by the rule of core/credential/resolution.ts: the client's own row, else the agency's default; in platform mode the
-- platform's key. First what lacks a key, from indexes alone, then one agent after the other until enough are found. Joined by hashes (enable_nestloop): the planner
-- expects the dozen agents of an average agency. Row-level security of the caller applies.
create or replace function missing_keys(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[], at_most int)
returns table (provider text, client_id uuid, client_name text, agents text[])
language plpgsql stable rows 20 set search_path = public, pg_temp set enable_nestloop = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with needed as materialized (
      -- By a number: comparing texts by the rules of a language takes longer than all else.
      select n.template_name, n.provider, dense_rank() over (order by n.provider)::int as place,
        not coalesce(case when d.source_mode = 'platform' then d.provider = any(platform_providers) else d.sealed is not null end, false) as lacks_default
      from unnest(template_names, providers) as n(template_name, provider)
      -- By the key: joined, all agencies' defaults are read.
      left join lateral (
        select c.provider, c.source_mode, c.sealed from credential c where c.partner_id = of_partner and c.client_id is null and c.provider = n.provider offset 0
      ) d on true
    )
    select s.provider, s.client_id, max(s.client_name), array_agg(s.name order by s.name)
    from (
      select l.provider, l.client_id, a.client_name, a.name, dense_rank() over (order by l.place, l.client_id) as nth
      from (
        select n.provider, n.place, w.client_id, w.template_name
        from workflow w join needed n on n.template_name = w.template_name
        left join credential o on o.partner_id = of_partner and o.client_id = w.client_id and o.provider = n.provider and (of_client is null or o.client_id = of_client)
        where w.partner_id = of_partner and (of_client is null or w.client_id = of_client)
          and case when o.id is null then n.lacks_default when o.source_mode = 'platform' then n.provider <> all(platform_providers) else o.sealed is null end
        order by 2, 3 offset 0
      ) l cross join lateral (
        select x.name, k.name as client_name from (
          select w.* from workflow w where w.partner_id = of_partner and w.client_id = l.client_id and w.template_name = l.template_name
          union all select w.* from workflow w where l.client_id is null and w.partner_id = of_partner and w.client_id is null and w.template_name = l.template_name
        ) x left join lateral (select k.name, k.status from client k where k.id = x.client_id offset 0) k on true
        where x.is_active and coalesce(k.status, 'active') = 'active' offset 0
      ) a
    ) s where s.nth <= at_most group by 1, 2 order by 1, 2;
end $$;
revoke execute on function missing_keys from public;
grant execute on function missing_keys to portal_tenant, portal_system;
