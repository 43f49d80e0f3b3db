-- What names clients in rows of their agency is found by their ids, so that a purge of one can clear it.

create index event_threshold on event (partner_id) where type = 'usage.threshold_crossed';
create index delivery_threshold on delivery (partner_id) where event_type = 'usage.threshold_crossed';

-- These errors list clients by their names alone, with no id beside them.
update provisioning_step set error = regexp_replace(error, '(CredentialUnresolved, [^:]*): .*', '\1') where error like '%CredentialUnresolved%';
update provisioning_attempt set error = regexp_replace(error, '(CredentialUnresolved, [^:]*): .*', '\1') where error like '%CredentialUnresolved%';
update automation_instance set last_error = regexp_replace(last_error, '(CredentialUnresolved, [^:]*): .*', '\1') where last_error like '%CredentialUnresolved%';
update rollout_partner set message = regexp_replace(message, '(CredentialUnresolved, [^:]*): .*', '\1') where message like '%CredentialUnresolved%';
