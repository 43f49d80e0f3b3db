-- Looks at the next rows of one table in the order of one index and deletes those that go. Returns how many it saw, how many it deleted, and
-- the place of the last one, from which the next window starts: entries that were just deleted are never walked again.
-- The caller names table, columns and conditions from its own list (service/schema/tenant-tables.ts), never from input. $1 is the partner, $2
-- the client. `dependents` are deleted with their rows, in one statement: pairs of table and column.
-- Index scans only: a partner may own most of a table, and a scan of it would read the rows of all others again for each window.
create or replace function purge_window(
  target text, scope text, bounds text, walk text[], descending boolean[], is_unique boolean, after_place jsonb, matching text, dependents text[],
  partner uuid, client uuid, batch int
) returns table (scanned int, removed bigint, place jsonb)
language plpgsql set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  columns text := (select string_agg(format('t.%I', w.c), ', ' order by w.ord) from unnest(walk) with ordinality as w(c, ord));
  ordered text := (select string_agg(format('t.%I%s', w.c, case when w.falls then ' desc' else '' end), ', ' order by w.ord)
    from unnest(walk, descending) with ordinality as w(c, falls, ord));
  beyond text := '';
  others text := '';
  counted text := '(select count(*) from gone)';
  pair int := 0;
begin
  if after_place is not null and columns is not null then
    -- Behind the place, column by column, since columns may go different ways; the first one alone is a bound of the index.
    beyond := (
      select ' and (' || string_agg('(' || (
          select string_agg(format('t.%I %s %L', v.c, case when v.ord < w.ord then '=' when w.ord = cardinality(walk) and not is_unique then w.op || '=' else w.op end,
            after_place->>v.c), ' and ' order by v.ord)
          from unnest(walk) with ordinality as v(c, ord) where v.ord <= w.ord) || ')', ' or ' order by w.ord) || ')'
      from (select ord, case when falls then '<' else '>' end as op from unnest(walk, descending) with ordinality as u(c, falls, ord)) w)
      || format(' and t.%I %s= %L', walk[1], case when descending[1] then '<' else '>' end, after_place->>walk[1]);
  end if;
  while pair < coalesce(cardinality(dependents), 0) loop
    others := others || format(', other%s as (delete from %I o where o.%I in (select l.purge_id from looked l where l.purge_hit) returning 1)',
      pair, dependents[pair + 1], dependents[pair + 2]);
    counted := counted || format(' + (select count(*) from other%s)', pair);
    pair := pair + 2;
  end loop;
  return query execute format(
    'with looked as materialized (
       select t.ctid as purge_tid, (%s) as purge_hit, row_number() over (%s) as purge_ord%s%s from %I t where %s%s%s%s limit $3
     ), gone as (delete from %I t where t.ctid = any (array(select l.purge_tid from looked l where l.purge_hit))%s returning 1)%s
     select (select count(*)::int from looked), %s,
       (select to_jsonb(l) - ''{purge_tid,purge_hit,purge_ord,purge_id}''::text[] from looked l order by l.purge_ord desc limit 1)',
    matching, coalesce('order by ' || ordered, ''), case when pair > 0 then ', t.id as purge_id' else '' end, coalesce(', ' || columns, ''), target, scope, bounds, beyond,
    coalesce(' order by ' || ordered, ''), target, bounds, others, counted)
  using partner, client, batch;
end $$;
revoke execute on function purge_window from public;
grant execute on function purge_window to portal_system;
