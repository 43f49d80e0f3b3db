-- The service writes these consequences itself, in the same transaction (service/wiring/consequences.ts).
drop trigger audit_entry_told on audit_entry;
drop function tell_of_audited();
drop trigger credential_turned on credential;
drop trigger instance_turned on automation_instance;
-- endpoint_turned stays: settle_deliveries writes the failure streak for many deliveries in one call, without a transaction of the service.
