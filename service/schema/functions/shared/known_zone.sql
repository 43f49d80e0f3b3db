-- A stored time zone as the database can reckon with it: UTC for what it does not know. JavaScript takes names that Postgres refuses, some were saved
-- before the contract did, and the names of both change with their versions; one such row must not break the pages of everybody. As cheap as
-- reckoning with the zone itself, and no error to catch.
create or replace function known_zone(zone text) returns text language sql stable parallel safe
  as $$ select case when trim(zone) <> '' and pg_input_is_valid('2000-01-01 00:00 ' || zone, 'timestamptz') then zone else 'UTC' end $$;
