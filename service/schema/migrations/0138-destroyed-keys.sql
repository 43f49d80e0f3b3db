-- A destroyed data key leaves its row behind, without the key: no later transaction creates another one for that partner.
alter table partner_data_key
  alter master_key_id drop not null,
  alter sealed_key drop not null,
  add destroyed_at timestamptz(3),
  add constraint partner_data_key_destroyed check (num_nonnulls(master_key_id, sealed_key) = case when destroyed_at is null then 2 else 0 end);
comment on column partner_data_key.destroyed_at is 'nothing that this partner sealed opens from then on; see docs/deploy.md for backups';
