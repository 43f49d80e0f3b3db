-- The data key that seals the secrets of an agency, itself sealed with a master key. A destroyed key leaves its row without the key, so that no later
-- transaction creates another one.
create table partner_data_key (
  id            uuid primary key default uuidv7(),
  partner_id    uuid not null unique references partner,
  master_key_id text,
  sealed_key    bytea,
  created_at    timestamptz(3) not null default now(),
  rewrapped_at  timestamptz(3),
  -- Nothing that this agency sealed can be opened afterwards; see docs/deploy.md for backups.
  destroyed_at  timestamptz(3),
  constraint partner_data_key_destroyed check (num_nonnulls(master_key_id, sealed_key) = case when destroyed_at is null then 2 else 0 end)
);
create index partner_data_key_master on partner_data_key (master_key_id, id);
call fence('partner_data_key', 'none', 'select, insert');
