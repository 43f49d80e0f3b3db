-- Reading and retention of the audit log.

-- One index per filter used alone; all others scan a bounded window (service/modules/1-ledger/audit/store.ts).
create index audit_entry_action on audit_entry (partner_id, action, id desc);
create index audit_entry_client on audit_entry (partner_id, client_id, id desc) where client_id is not null;
create index audit_entry_refused on audit_entry (partner_id, id desc) where result = 'refused';

update partitioned_table set keep_days = 365, keep_while = 'at > now() - make_interval(days => (select longest_audit_days()))'
  where name = 'audit_entry'::regclass;
