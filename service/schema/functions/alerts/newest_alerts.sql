-- Returns the newest alerts of an agency, or the newest that are not resolved. By the index alone (enable_sort, enable_bitmapscan): the planner expects the alerts of an average
-- agency, and would read and sort all of one that has tens of thousands. Row-level security of the caller applies.
create or replace function newest_alerts(of_partner uuid, only_open boolean, at_most int) returns setof uuid
language plpgsql stable rows 25 set search_path = public, pg_temp set enable_sort = off set enable_bitmapscan = off as $$
begin
  if only_open then
    return query select a.id from alert a where a.partner_id = of_partner and a.status <> 'resolved' order by a.id desc limit at_most;
  else
    return query select a.id from alert a where a.partner_id = of_partner order by a.id desc limit at_most;
  end if;
end $$;
revoke execute on function newest_alerts from public;
grant execute on function newest_alerts to portal_tenant, portal_system;
