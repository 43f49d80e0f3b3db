-- Every sealed value of a partner is under its data key. Rows of earlier versions name a master key (at most 32 characters) instead of a
-- data key (a UUID); these indexes find them until the service has sealed them again.
alter table user_mfa rename master_key_id to secret_key_id;
drop index mail_body_key;
drop index user_mfa_master;
drop index webhook_endpoint_key;
drop index sso_connection_key;
create index mail_old_key on mail (id) where body_sealed is not null and length(body_key_id) <= 32;
create index user_mfa_old_key on user_mfa (user_id) where length(secret_key_id) <= 32;
create index webhook_endpoint_old_key on webhook_endpoint (id) where length(secret_key_id) <= 32;
create index sso_connection_old_key on sso_connection (partner_id) where length(secret_key_id) <= 32;
comment on column mail.body_key_id is 'the data key that sealed the body; in rows of earlier versions a master key';
