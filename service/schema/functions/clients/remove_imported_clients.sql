-- Deletes the clients that a portion of an import created, and that nothing happened to since: unchanged, and named by no row of any table but the audit log
-- and the import itself, which also has staff look at a name; that someone only looked at one does not keep it. Returns every client it looked at; `held_by` lists what keeps one: 'changed', and tables. They are read from the
-- catalogue, so that a new one counts without being named here. A tenant may not delete clients, hence the rights of the owner.
create or replace function remove_imported_clients(import uuid, after_line int, most int) returns table (line int, client_id uuid, name text, held_by text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  agency uuid := app_partner();
  looked uuid[];
  held jsonb := '{}';
  place record;
  found jsonb;
begin
  if agency is null or app_client() is not null then
    return;
  end if;
  -- Concurrent additions to a client wait for these locks, or are committed and seen below.
  select coalesce(array_agg(x.client_id), '{}') into looked from (
    select r.client_id from client_import_row r where r.import_id = import and r.partner_id = agency and r.outcome = 'created' and r.client_id is not null
      and r.line > after_line order by r.line limit most) x;
  perform c.id from client c where c.partner_id = agency and c.id = any(looked) order by c.id for update of c;
  select coalesce(jsonb_object_agg(c.id, 'changed'), '{}') into held from client_import_row r join client c on c.id = r.client_id
    where r.import_id = import and c.id = any(looked) and (c.updated_at <> r.client_version or c.status <> 'active');
  for place in
    select t.relname, a.attname from pg_class t join pg_attribute a on a.attrelid = t.oid and not a.attisdropped
      join pg_attribute p on p.attrelid = t.oid and p.attname = 'partner_id' and not p.attisdropped
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      and a.attname in ('client_id', 'about_client_id') and t.relname not in ('audit_entry', 'client_import_row', 'client_look', 'name_review')
    order by t.relname
  loop
    execute format('select coalesce(jsonb_object_agg(x.id, %L), ''{}'') from (select distinct %I as id from %I where partner_id = $1 and %I = any($2)) x',
      place.relname, place.attname, place.relname, place.attname) into found using agency, looked;
    select held || coalesce(jsonb_object_agg(f.key, concat_ws(' ', held->>f.key, f.value)), '{}') into held from jsonb_each_text(found) f;
  end loop;
  return query select r.line, r.client_id, r.name, held->>r.client_id::text from client_import_row r
    where r.import_id = import and r.client_id = any(looked) order by r.line;
  delete from client_look l where l.client_id = any(looked) and not held ? l.client_id::text;
  delete from client c where c.partner_id = agency and c.id = any(looked) and not held ? c.id::text;
end $$;
revoke execute on function remove_imported_clients from public;
grant execute on function remove_imported_clients to portal_tenant;
