-- Adds up to a bigint. The sum of Postgres is a numeric, whose state takes three times the memory: over a hundred thousand groups it goes to disk, and takes twice as
-- long. Raises an error where the sum does not fit; 0 for no rows.
create or replace aggregate sum_bigint(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);
