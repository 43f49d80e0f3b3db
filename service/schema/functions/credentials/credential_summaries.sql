-- Returns the stored credentials of an agency without their values, or with a client those that count for it: its own, and the agency's defaults it has no own row for (inherited,
-- under the client's id). By client (the agency's own first) and provider. Row-level security of the caller applies.
create or replace function credential_summaries(of_partner uuid, of_client uuid, template_names text[], providers text[], only_id uuid)
returns table (id uuid, provider text, client_id uuid, inherited boolean, source_mode text, has_value boolean, updated_at timestamptz, last_check_ok boolean,
  last_check_at timestamptz, last_check_message text, last_used_at timestamptz, used_by_agents int, live text, tls text)
language plpgsql stable rows 10 set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    with needed as materialized (
      select n.template_name, n.provider from unnest(template_names, providers) as n(template_name, provider)
    ), own_uses as materialized (
      select o.id, o.provider, count(*)::int as agents
      from credential o join workflow w on w.partner_id = of_partner and w.client_id = o.client_id join needed n on n.template_name = w.template_name and n.provider = o.provider
      where o.partner_id = of_partner and o.client_id is not null and (of_client is null or o.client_id = of_client)
      group by 1, 2
    ), uses as (
      select u.id, u.agents from own_uses u
      union all
      -- The agency's default serves all others that need it.
      select d.id, (t.agents - coalesce((select sum(u.agents) from own_uses u where u.provider = d.provider), 0))::int
      from credential d join (
        select n.provider, sum(w.agents) as agents from (
          select w.template_name, count(*) as agents from workflow w where w.partner_id = of_partner and (of_client is null or w.client_id = of_client) group by 1
        ) w join needed n on n.template_name = w.template_name group by 1
      ) t on t.provider = d.provider
      where d.partner_id = of_partner and d.client_id is null
    ), links as (
      select carried.id, bool_or(e.status = 'pending') as pending
      from engine_connection e cross join lateral effective_credential(e.partner_id, e.client_id, e.provider) carried
      where e.partner_id = of_partner and (of_client is null or e.client_id = of_client or e.client_id is null)
      group by 1
    )
    select c.id, c.provider, coalesce(c.client_id, of_client), (of_client is not null and c.client_id is null),
      c.source_mode, c.sealed is not null, c.updated_at::timestamptz, c.last_check_ok, c.last_check_at::timestamptz, c.last_check_message, c.last_used_at::timestamptz,
      coalesce(u.agents, 0), case when l.id is null then 'unused' when l.pending then 'pending' else 'live' end, c.tls
    from credential c left join uses u on u.id = c.id left join links l on l.id = c.id
    where c.partner_id = of_partner and (only_id is null or c.id = only_id)
      and (of_client is null or c.client_id = of_client or c.client_id is null)
      and (of_client is null or c.id = (select counts.id from effective_credential(of_partner, of_client, c.provider) counts))
    order by c.client_id nulls first, c.provider;
end $$;
revoke execute on function credential_summaries from public;
grant execute on function credential_summaries to portal_tenant, portal_system;
