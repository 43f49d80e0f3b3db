-- Returns the one credential that counts for a slot: the client's own, else the partner's default; none when neither is stored. All SQL asks here; the counterpart in code is
-- createCredentialResolver. Without SECURITY DEFINER or settings of its own, so that the planner puts it into the asking statement, with the policies of its role.
create or replace function effective_credential(of_partner uuid, of_client uuid, of_provider text) returns setof credential
language sql stable as $$
  -- Two rows by the key: with "or", an index gives all that the agency has of this provider.
  select c.* from (
    select own.* from credential own where own.partner_id = of_partner and own.client_id = of_client and own.provider = of_provider
    union all
    select standard.* from credential standard where standard.partner_id = of_partner and standard.client_id is null and standard.provider = of_provider) c
  order by c.client_id nulls last limit 1
$$;
revoke execute on function effective_credential from public;
grant execute on function effective_credential to portal_tenant, portal_system;
