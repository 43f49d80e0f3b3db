-- Returns the smallest UUIDv7 of an instant: the bound of a partition or of a keyset page by time.
create or replace function uuid_floor(at timestamptz) returns uuid language sql immutable parallel safe
  as $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $$;
