-- Which stored credential counts, and whether it can be used: the one home of this rule in SQL. For each slot of an agency (a client, or null for the agency itself, and a
-- provider) the client's own row counts, else the agency's default; a row of the client hides the default even when it cannot be used, because someone chose it. A row can be used when
-- it has a value, or in platform mode when the platform has a key for the provider and the plan of the agency includes the platform's keys. One row for each slot, without a credential when none is stored. Without SECURITY DEFINER or settings
-- of its own, so that the planner puts it into the asking statement, with the policies of its role. Its one counterpart in code is core/credential/resolution.ts.
create or replace function effective_credentials(of_partner uuid, of_clients uuid[], of_providers text[], platform_providers text[])
returns table (slot_client_id uuid, slot_provider text, id uuid, client_id uuid, source_mode text, has_value boolean, last_check_ok boolean, last_check_message text, is_usable boolean)
language sql stable as $$
  select c.slot_client_id, c.slot_provider, c.id, c.client_id, c.source_mode, c.has_value, c.last_check_ok, c.last_check_message,
    coalesce(case when c.source_mode = 'platform' then c.slot_provider = any(platform_providers) and (select has_feature(of_partner, 'aiPlatformKeys')) else c.has_value end, false)
  from (
    select slot.client_id as slot_client_id, slot.provider as slot_provider, own.client_id, coalesce(own.id, standard.id) as id,
      case when own.id is null then standard.source_mode else own.source_mode end as source_mode,
      case when own.id is null then standard.sealed is not null else own.sealed is not null end as has_value,
      case when own.id is null then standard.last_check_ok else own.last_check_ok end as last_check_ok,
      case when own.id is null then standard.last_check_message else own.last_check_message end as last_check_message
    from unnest(of_clients, of_providers) slot(client_id, provider)
    left join credential own on own.partner_id = of_partner and own.client_id = slot.client_id and own.provider = slot.provider
    left join credential standard on standard.partner_id = of_partner and standard.client_id is null and standard.provider = slot.provider
  ) c
$$;
revoke execute on function effective_credentials from public;
grant execute on function effective_credentials to portal_tenant, portal_system;
