-- Reading the audit log back, and keeping it as long as somebody's plan promises.

-- One index per question that is asked alone; all others look through a bounded window (service/modules/1-ledger/audit/store.ts).
create index audit_entry_action on audit_entry (partner_id, action, id desc);
create index audit_entry_client on audit_entry (partner_id, client_id, id desc) where client_id is not null;
create index audit_entry_refused on audit_entry (partner_id, id desc) where result = 'refused';

-- How many days of its log an agency may read: what its plan says, at least a year (product.md §2.4).
create function audit_days(features jsonb) returns int language sql immutable
  as $$ select greatest(365, case when jsonb_typeof(features->'auditRetentionDays') = 'number' then least((features->>'auditRetentionDays')::numeric, 36500)::int end) $$;

-- Months of the log hold every agency's entries, so they stay as long as the longest promise that anybody has.
create function longest_audit_days() returns int language sql stable
  as $$ select coalesce(max(audit_days(p.features || coalesce(s.overrides->'features', '{}'))), 365) from subscription s join plan p on p.id = s.plan_id $$;

update partitioned_table set keep_days = 365, keep_while = 'at > now() - make_interval(days => (select longest_audit_days()))'
  where name = 'audit_entry'::regclass;

-- An agency sees that staff did something, not which of them. Whether somebody it cannot see is staff is all it may learn.
create function is_staff(user_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select 1 from app_user u where u.id = user_id and u.role = 'ADMIN') $$;
revoke execute on function is_staff from public;
grant execute on function is_staff to portal_tenant, portal_system;
