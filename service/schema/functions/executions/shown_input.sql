-- Returns what a sentence may show of an input: all of a small one, the beginning of the texts of a large one. A batch of large inputs would
-- not fit into memory.
create or replace function shown_input(input jsonb) returns jsonb
language sql immutable set search_path = public, pg_temp as $$
  select case when octet_length(input::text) <= 16384 then input else (
    select jsonb_object_agg(m.key, case when jsonb_typeof(m.value) = 'string' then to_jsonb(left(m.value #>> '{}', 2048)) else m.value end)
    from (select * from jsonb_each(input) limit 500) m where jsonb_typeof(m.value) = 'string' or octet_length(m.value::text) <= 2048) end
$$;
revoke execute on function shown_input from public;
