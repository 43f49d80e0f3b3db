-- Returns the newest entries in the audit log of an agency, from a time on and before an entry unless these are null. By the indexes of the months alone (enable_sort,
-- enable_bitmapscan): the planner expects the entries of an average agency, and would read and sort all of one that has hundreds of thousands. Row-level security of the caller applies.
create or replace function newest_entries(of_partner uuid, since timestamptz, before uuid, at_most int) returns setof uuid
language plpgsql stable rows 50 set search_path = public, pg_temp set enable_sort = off set enable_bitmapscan = off as $$
begin
  return query select e.id from audit_entry e
    where e.partner_id = of_partner and e.id >= coalesce(uuid_floor(since), '00000000-0000-0000-0000-000000000000') and e.at >= coalesce(since, '-infinity')
      and e.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by e.id desc limit at_most;
end $$;
revoke execute on function newest_entries from public;
grant execute on function newest_entries to portal_tenant, portal_system;
