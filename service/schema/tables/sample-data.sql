-- The sample data of an agency of the quick start.

-- Marks an agency whose rows from before `ends_at` are a made-up past. The quick start writes it, when it has just created the agency; removing the sample
-- data deletes it.
create table sample_data (
  partner_id uuid primary key references partner,
  begins_at  timestamptz(3) not null,
  -- A whole hour, so that no counter of an hour holds both a sample and a real run.
  ends_at    timestamptz(3) not null check (ends_at = date_trunc('hour', ends_at, 'UTC')),
  check (begins_at < ends_at)
);
call fence('sample_data', null, 'select');
