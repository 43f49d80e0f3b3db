-- Returns the one credential that counts for a slot: the client's own, else the partner's default; none when neither is stored. All SQL asks here; the counterpart in code is
-- createCredentialResolver. Without SECURITY DEFINER or settings of its own, so that the planner puts it into the asking statement, with the policies of its role.
create or replace function effective_credential(of_partner uuid, of_client uuid, of_provider text) returns setof credential
language sql stable as $$
  select c.* from credential c where c.partner_id = of_partner and c.provider = of_provider and (c.client_id = of_client or c.client_id is null)
  order by c.client_id nulls last limit 1
$$;
revoke execute on function effective_credential from public;
grant execute on function effective_credential to portal_tenant, portal_system;
