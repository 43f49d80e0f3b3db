-- Protects a tenant table: enables and forces row-level security, with one policy for the tenant role and one for the system role.
-- client_column: the column a CLIENT caller must match; null when the table has none and clients see nothing of it;
-- 'none' when a client may see all rows of its partner. Whether there is a client is asked inside the subselect: the planner expects half of the rows then,
-- and of `(select …) is null` a two-hundredth, with which it chose plans for an agency a hundred times smaller.
create or replace procedure fence(target regclass, client_column text default null, tenant_rights text default 'select')
language plpgsql as $$
declare
  rule text := 'partner_id = (select app_partner())';
begin
  if client_column is null then
    rule := rule || ' and (select app_client() is null)';
  elsif client_column <> 'none' then
    rule := rule || format(' and ((select app_client() is null) or %I = (select app_client()))', client_column);
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant_rows on %s for all to portal_tenant using (%s) with check (%s)', target, rule, rule);
  execute format('create policy system_rows on %s for all to portal_system using (true) with check (true)', target);
  execute format('grant %s on %s to portal_tenant', tenant_rights, target);
  execute format('grant select, insert, update, delete on %s to portal_system', target);
end $$;
