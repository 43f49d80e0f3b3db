-- Returns the keys that active agents of an agency, or of one of its clients, lack: by provider and client, those of the agency itself last, with the names of the
-- agents. At most `at_most` keys. A key counts by the rule of effective_credentials. Joined by hashes (enable_nestloop), as in agent_needs.
-- Row-level security of the caller applies.
create or replace function missing_keys(of_partner uuid, of_client uuid, template_names text[], providers text[], platform_providers text[], at_most int)
returns table (provider text, client_id uuid, client_name text, agents text[])
language sql stable rows 20 set search_path = public, pg_temp set enable_nestloop = off as $$
  with wanting as materialized (
    select n.provider, w.client_id, w.name, k.name as client_name
    from workflow w join unnest(template_names, providers) n(template_name, provider) on n.template_name = w.template_name left join client k on k.id = w.client_id
    where w.partner_id = of_partner and (of_client is null or w.client_id = of_client) and w.is_active and coalesce(k.status, 'active') = 'active'
  ), missing as materialized (
    select c.slot_client_id, c.slot_provider
    from (select array_agg(s.client_id) as clients, array_agg(s.provider) as slot_providers from (select distinct w.client_id, w.provider from wanting w) s) slots
    cross join lateral effective_credentials(of_partner, slots.clients, slots.slot_providers, platform_providers) c
    where not c.is_usable
  )
  select w.provider, w.client_id, max(w.client_name), array_agg(w.name order by w.name)
  from wanting w join missing m on m.slot_provider = w.provider and coalesce(m.slot_client_id::text, '') = coalesce(w.client_id::text, '')
  group by 1, 2 order by 1, 2 limit at_most
$$;
revoke execute on function missing_keys from public;
grant execute on function missing_keys to portal_tenant, portal_system;
