-- Returns the statuses of the newest deliveries of an endpoint, newest first. Without sorting (enable_sort): the planner expects the few deliveries of an average endpoint, and
-- would read and sort all of one that has a hundred thousand, instead of the newest by their index. Row-level security of the caller applies.
create or replace function newest_statuses(of_partner uuid, of_endpoint uuid, at_most int) returns text[]
language plpgsql stable set search_path = public, pg_temp set enable_sort = off as $$
begin
  return array(select d.status from delivery d where d.partner_id = of_partner and d.endpoint_id = of_endpoint order by d.id desc limit at_most);
end $$;
revoke execute on function newest_statuses from public;
grant execute on function newest_statuses to portal_tenant, portal_system;
