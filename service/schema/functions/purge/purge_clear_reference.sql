-- Empties references of an account's rows in one table. Names come from the catalogue, never from input.
create or replace function purge_clear_reference(target text, columns text[], partner uuid, client uuid) returns void
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  -- Only an agency's whole set of tables has such references; those of one client would need a condition here.
  if client is not null then raise exception 'the purge of a client empties no references'; end if;
  execute format('update %I t set %s where t.partner_id = $1 and %s', target,
    (select string_agg(format('%I = null', c), ', ') from unnest(columns) c), (select string_agg(format('t.%I is not null', c), ' and ') from unnest(columns) c))
  using partner;
end $$;
revoke execute on function purge_clear_reference from public;
grant execute on function purge_clear_reference to portal_system;
