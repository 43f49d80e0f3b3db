-- Returns the one credential that counts for a slot, by the rule of effective_credentials; none when none is stored. Without SECURITY DEFINER or settings of its own, so that the
-- planner puts it into the asking statement, with the policies of its role.
create or replace function effective_credential(of_partner uuid, of_client uuid, of_provider text) returns setof credential
language sql stable as $$
  select c.* from effective_credentials(of_partner, array[of_client], array[of_provider], '{}') counts join credential c on c.id = counts.id
$$;
revoke execute on function effective_credential from public;
grant execute on function effective_credential to portal_tenant, portal_system;
