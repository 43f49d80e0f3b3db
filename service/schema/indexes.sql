-- Indexes of tables that may be large when they are added, one statement each. They are built after a start, beside the work and partition by partition, where
-- the table is large, and at the start where it is small (platform/db/indexes.ts). Statements that use them work without, and take longer.

-- The first and the last hours of a range of all agencies. Of the hour itself, the planner could take it for those of one agency. First: without it
-- sums of all agencies read every hour of every agent.
create index workflow_hour_of_all on workflow_hour (uuid_floor(hour));

-- A page of the newest clients of an agency, and a text in what staff search all clients and agents by.
create index client_newest on client (partner_id, id desc);
create index client_text on client using gin (name gin_trgm_ops, contact_name gin_trgm_ops, contact_email gin_trgm_ops, external_ref gin_trgm_ops);
create index workflow_text on workflow using gin (name gin_trgm_ops);
create index workflow_newest on workflow (partner_id, id desc);

-- Kinds and sources that are rare beside those of incoming events, or that an agency has none of.
create index usage_entry_kind on usage_entry (partner_id, kind, id desc) where kind <> 'run';
create index usage_entry_kind_of_all on usage_entry (kind, id desc) where kind <> 'run';
create index usage_entry_ai_call on usage_entry (partner_id, id) where kind = 'ai_tokens' and execution_id is null;
create index execution_source on execution (partner_id, source, id desc) where source <> 'ingest';
create index execution_source_of_all on execution (source, id desc) where source <> 'ingest';
create index execution_cause on execution (partner_id, error_code, id desc) where status = 'FAILED';
create index execution_cause_of_all on execution (error_code, id desc) where status = 'FAILED';
create index execution_timed_out on execution (id) where status = 'FAILED' and error_code = 'timeout';
