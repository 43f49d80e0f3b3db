/**
 * What a database of ours is made of, one line per row: tables, columns, constraints, indexes, policies, triggers, functions, rights, and the
 * rows that a new installation begins with. Comments are left out, and the names of indexes of partitions, which the server chooses.
 */
export const CATALOG = `
with relation as (
  select c.*, c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
), acl (owner, kind, id, part, rights) as (
  select r.relowner, 'r', r.oid, r.name, coalesce(r.relacl, acldefault('r', r.relowner)) from relation r
  union all select r.relowner, 'c', r.oid, r.name || '.' || a.attname, a.attacl from relation r join pg_attribute a on a.attrelid = r.oid and a.attacl is not null
  union all select p.proowner, 'f', p.oid, p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select n.nspowner, 'n', n.oid, 'schema ' || n.nspname, n.nspacl from pg_namespace n where n.nspname in ('public', 'applied')
)
select line from (
  select format('table %s: %s %s %s rls %s %s, %s, %s', r.name, r.relkind, r.relpersistence, r.relowner::regrole, r.relrowsecurity, r.relforcerowsecurity,
    coalesce(r.reloptions::text, '-'), coalesce(pg_get_expr(r.relpartbound, r.oid), pg_get_partkeydef(r.oid), '-')) from relation r
  union all
  select format('column %s.%s: %s. %s %s %s default %s, storage %s, options %s', r.name, a.attname,
    row_number() over (partition by r.oid order by a.attnum), format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' else 'null' end,
    nullif(a.attgenerated, ''), coalesce(pg_get_expr(d.adbin, d.adrelid), '-'), a.attstorage, coalesce(a.attoptions::text, '-'))
  from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
  union all
  select format('constraint %s %s: %s %s', r.name, k.conname, pg_get_constraintdef(k.oid), k.convalidated) from relation r join pg_constraint k on k.conrelid = r.oid
  union all
  select format('index %s: %s', r.name, case when r.relispartition then regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ', ' INDEX ')
    else pg_get_indexdef(i.indexrelid) end || ' ' || i.indisvalid) from relation r join pg_index i on i.indrelid = r.oid
  union all
  select format('policy %s %s: %s %s %s using %s check %s', p.tablename, p.policyname, p.permissive, p.roles, p.cmd, p.qual, p.with_check)
  from pg_policies p where p.schemaname = 'public'
  union all
  select format('trigger: %s', pg_get_triggerdef(t.oid)) from relation r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
  union all
  select format('function %s: %s', p.oid::regprocedure, pg_get_functiondef(p.oid)) from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select format('right on %s: %s of %s', acl.part, a.privilege_type, case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
  from acl, aclexplode(acl.rights) a where acl.part is not null
  union all
  select format('extension %s', e.extname) from pg_extension e
  union all
  select format('plan %s', to_jsonb(p) - 'id' - 'updated_at') from plan p
  union all
  select format('partner %s', to_jsonb(p) - 'id' - 'partner_id' - 'created_at' - 'updated_at') from partner p
  union all
  select format('rate %s', to_jsonb(a) - 'id' - 'created_at') from ai_rate a
  union all
  select format('rule of names %s', n.version) from name_rule n
  union all
  select format('partitioned %s: %s %s', t.name, t.keep_days, t.keep_while) from partitioned_table t
) found (line) order by line`;
