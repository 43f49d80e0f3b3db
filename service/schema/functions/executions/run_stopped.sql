-- Whether a run that succeeded ended early on purpose. A function, so that its plan over all months is made once and not with each list.
create or replace function run_stopped(agency uuid, run uuid) returns boolean
language plpgsql stable as $$
begin
  return coalesce((select p.output ->> 'skipped' = 'true' from execution_payload p where p.partner_id = agency and p.id = run), false);
end $$;
revoke execute on function run_stopped from public;
grant execute on function run_stopped to portal_tenant, portal_system;
