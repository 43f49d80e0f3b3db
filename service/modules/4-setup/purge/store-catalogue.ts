import type { CatalogueTable, ForeignKey } from '@partner-portal/core/account/purge-plan.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Tables, indexes, partitions and references as the database has them. */
export async function readTables(tx: SystemTx): Promise<CatalogueTable[]> {
  return runStatement<'purge_tables', CatalogueTable>(tx, {
    name: 'purge_tables',
    prepare: false,
    text: `select c.relname::text as name,
        (select array_agg(a.attname::text order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
        coalesce((
          select jsonb_agg(jsonb_build_object('name', x.relname, 'isUnique', i.indisunique, 'isPartial', i.indpred is not null, 'columns', (
            select jsonb_agg(jsonb_build_object('name', a.attname, 'descending', (i.indoption[k.n - 1] & 1) = 1, 'notNull', a.attnotnull) order by k.n)
            from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k(attnum, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)))
          from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
          where i.indrelid = c.oid and i.indisvalid and i.indexprs is null and m.amname = 'btree'), '[]') as indexes,
        case when c.relkind = 'p' then jsonb_build_object('column', (
          select a.attname from pg_partitioned_table p join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0] where p.partrelid = c.oid),
          'bounds', coalesce((
            select jsonb_agg(b.bound) from pg_inherits h join pg_class q on q.oid = h.inhrelid,
              regexp_matches(pg_get_expr(q.relpartbound, q.oid), '\\(''([^'']+)''\\)', 'g') as m(found), unnest(m.found) as b(bound)
            where h.inhparent = c.oid), '[]')) end as partitions
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  });
}

/** References between tables. */
export async function readForeignKeys(tx: SystemTx): Promise<ForeignKey[]> {
  return runStatement<'purge_foreign_keys', ForeignKey>(tx, {
    name: 'purge_foreign_keys',
    prepare: false,
    text: `select f.conrelid::regclass::text as table, f.confrelid::regclass::text as references, f.confdeltype in ('n', 'd') as sets_null,
        array_agg(a.attname::text) as columns, bool_and(not a.attnotnull) as is_nullable
      from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey)
      where f.contype = 'f' and f.conparentid = 0 and f.connamespace = 'public'::regnamespace group by f.oid, 1, 2, 3 order by 1, 2, f.oid`,
  });
}
