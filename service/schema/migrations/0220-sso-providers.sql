-- Single sign-on with providers as they come: what an agency allows for its provider, what the metadata says, and the keys of the portal.

alter table sso_connection
  add column vouches_for_emails boolean not null default false,
  add column allows_sha1 boolean not null default false,
  add column signs_requests boolean not null default false,
  add column idp_wants_signed boolean not null default false,
  add column metadata_valid_until timestamptz(3),
  add column metadata_tried_at timestamptz(3),
  add column own_certificate text,
  add column own_key_sealed bytea,
  add column own_key_id text,
  add column next_certificate text,
  add column next_key_sealed bytea,
  add column next_key_id text,
  add check (num_nulls(own_certificate, own_key_sealed, own_key_id) in (0, 3)),
  add check (num_nulls(next_certificate, next_key_sealed, next_key_id) in (0, 3)),
  add check (next_certificate is null or own_certificate is not null);
comment on column sso_connection.vouches_for_emails is 'an admin accepts addresses that the provider does not say are verified';
comment on column sso_connection.idp_wants_signed is 'the metadata says that requests must be signed';
comment on column sso_connection.own_certificate is 'base64 DER, of the key that signs requests and decrypts assertions';
comment on column sso_connection.next_certificate is 'in the metadata already, to replace the other one when an admin says so';
comment on column sso_connection.metadata_tried_at is 'when a failing login last had the metadata read: once a minute at most';
