-- How many days of its log an agency may read: what its plan says, at least a year (product.md §2.4).
create or replace function audit_days(features jsonb) returns int language sql immutable
  as $$ select greatest(365, case when jsonb_typeof(features->'auditRetentionDays') = 'number' then least((features->>'auditRetentionDays')::numeric, 36500)::int end) $$;

-- Months of the log hold every agency's entries, so they stay as long as the longest promise that anybody has.
create or replace function longest_audit_days() returns int language sql stable
  as $$ select coalesce(max(audit_days(p.features || coalesce(s.overrides->'features', '{}'))), 365) from subscription s join plan p on p.id = s.plan_id $$;
