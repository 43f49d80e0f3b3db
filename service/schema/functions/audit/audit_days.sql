-- Returns how many days of its audit log a partner may read: as its plan says, at least a year.
create or replace function audit_days(features jsonb) returns int language sql immutable
  as $$ select greatest(365, case when jsonb_typeof(features->'auditRetentionDays') = 'number' then least((features->>'auditRetentionDays')::numeric, 36500)::int end) $$;

-- Returns the longest retention of any partner: a monthly partition holds entries of all of them.
create or replace function longest_audit_days() returns int language sql stable
  as $$ select coalesce(max(audit_days(features_of(p.features, s.overrides))), 365) from subscription s join plan p on p.id = s.plan_id $$;
