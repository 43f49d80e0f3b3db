-- Returns the data of an event whose list of clients names this one no more; its id and credits stay, as in the ledger.
create or replace function without_client(data jsonb, client uuid) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select case when data ? 'topClients' then jsonb_set(data, '{topClients}', (
      select coalesce(jsonb_agg(case when t.one->>'id' = client::text then jsonb_set(t.one, '{name}', '"Deleted client"') else t.one end order by t.n), '[]')
      from jsonb_array_elements(data->'topClients') with ordinality as t(one, n)))
    else data end
$$;
revoke execute on function without_client from public;
grant execute on function without_client to portal_system;
