-- Returns a stored time zone, or UTC when Postgres does not know it. JavaScript accepts names that Postgres refuses, and one such row must
-- not fail a statement over many rows.
create or replace function known_zone(zone text) returns text language sql stable parallel safe
  as $$ select case when trim(zone) <> '' and pg_input_is_valid('2000-01-01 00:00 ' || zone, 'timestamptz') then zone else 'UTC' end $$;
