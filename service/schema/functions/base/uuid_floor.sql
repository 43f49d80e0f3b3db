-- The smallest UUIDv7 of an instant: the boundary of a partition by time, and the bound of a keyset read by time.
create or replace function uuid_floor(at timestamptz) returns uuid language sql immutable parallel safe
  as $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $$;
